// Beside what every page does without scripts: copy a command, print a page.
document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-copy], [data-print]');
  if (!button) return;
  if (button.dataset.print !== undefined) print();
  else void copy(button);
});

async function copy(button) {
  await navigator.clipboard.writeText(button.dataset.copy);
  button.querySelector('[data-said]').textContent = 'Copied';
}

for (const button of document.querySelectorAll('[data-copy], [data-print]')) button.hidden = false;

// A film that is opened plays; another one that plays is stopped.
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (!target.matches?.('.stage') || !target.open) return;
    for (const film of document.querySelectorAll('video')) film.pause();
    const film = target.querySelector('video');
    for (const track of film.textTracks) track.mode = 'showing';
    void film.play();
  },
  true,
);
