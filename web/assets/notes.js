// Notes of a gallery that are not sent stay in their tab, whichever movie a verdict is sent of.
const say = document.querySelector('#say');
const place = `notes ${say.dataset.by} ${location.pathname.replace(/\/reviews$/, '')}`;
const kept = JSON.parse(sessionStorage.getItem(place) ?? '{}');
const keep = () => sessionStorage.setItem(place, JSON.stringify(kept));
let own;

for (const note of say.elements) {
  if (!(note.name in kept)) continue;
  note.value = kept[note.name];
  note.closest('details').open = true;
}

document.addEventListener('input', ({ target }) => {
  if (target.localName !== 'textarea') return;
  kept[target.name] = target.value;
  keep();
});

say.addEventListener('submit', ({ submitter }) => {
  own = `note${Number.parseInt(submitter.value, 10)}`;
  delete kept[own];
  keep();
});

say.addEventListener('formdata', ({ formData }) => {
  for (const name of [...formData.keys()]) if (name.startsWith('note') && name !== own) formData.delete(name);
});
