// Keeps the marked parts of a page up to date. One tab of a browser has the stream and tells the others: over HTTP/1.1 a
// browser has six connections for all of its tabs.
const place = document.querySelector('[data-live]');
const channel = new BroadcastChannel('greenlight');
const quietMs = 40_000;
let lostAt = null;
let heardAt = Date.now();
let refreshing = null;
let again = false;

function show() {
  const status = document.querySelector('[data-live-status]');
  if (!status) return;
  status.textContent = lostAt ? `Not live since ${new Date(lostAt).toTimeString().slice(0, 8)}` : 'Live';
  status.classList.toggle('bad', lostAt !== null);
}

function hear({ batches, lost, ended }) {
  if (ended) return leave();
  const wasLost = lostAt !== null;
  if (lost) lostAt ??= lost;
  else {
    heardAt = Date.now();
    lostAt = null;
  }
  show();
  const wanted = place.dataset.live;
  if (!lost && (wasLost || batches?.some((batch) => wanted === '*' || wanted === batch))) void refresh();
}

// A second at least between two looks; what changes meanwhile is in the next one.
async function refresh() {
  if (refreshing) {
    again = true;
    return;
  }
  refreshing = true;
  try {
    const answer = await fetch(location.href, { headers: { Accept: 'text/html' } });
    if (answer.redirected) return leave();
    if (answer.ok) replace(new DOMParser().parseFromString(await answer.text(), 'text/html'));
  } catch {
    // The stream says since when.
  }
  setTimeout(() => {
    refreshing = null;
    if (again) void refresh();
    again = false;
  }, 1000);
}

const isWritten = (root) =>
  [...root.querySelectorAll('input, textarea')].some((field) => field.value !== field.defaultValue);

// The session ended. What somebody wrote stays before their eyes: the form itself says then that nobody is signed in.
function leave() {
  if (!isWritten(document)) return location.reload();
  lostAt ??= Date.now();
  show();
}

// Whatever somebody is in, or wrote in, stays as it is. A page that has other parts by now is replaced as a whole.
function replace(page) {
  const namesOf = (root) => [...root.querySelectorAll('[data-part]')].map(({ dataset }) => dataset.part).join();
  const main = document.querySelector('main');
  const same = namesOf(page) === namesOf(document);
  const pairs = same
    ? [...document.querySelectorAll('[data-part]')].map((part) => [part, `[data-part="${part.dataset.part}"]`])
    : [[main, 'main']];
  for (const [part, selector] of pairs) {
    const fresh = page.querySelector(selector);
    if (!fresh || fresh.outerHTML === part.outerHTML || part.contains(document.activeElement) || isWritten(part))
      continue;
    part.replaceWith(fresh);
  }
  if (!same) show();
}

function tell(words) {
  channel.postMessage(words);
  hear(words);
}

function lead() {
  return new Promise((release) => {
    const stream = new EventSource(new URL('../stream', import.meta.url));
    stream.onmessage = ({ data }) => tell({ batches: JSON.parse(data) });
    for (const name of ['open', 'quiet']) stream.addEventListener(name, () => tell({}));
    stream.addEventListener('ended', () => tell({ ended: true }));
    stream.onerror = () => {
      tell({ lost: Date.now() });
      if (stream.readyState === EventSource.CLOSED) setTimeout(release, 3000);
    };
    addEventListener('pagehide', () => {
      stream.close();
      release();
    });
  });
}

if (place && navigator.locks) {
  channel.onmessage = ({ data }) => hear(data);
  setInterval(() => Date.now() - heardAt > quietMs && hear({ lost: heardAt }), 5000);
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
  void (async () => {
    for (;;) await navigator.locks.request('greenlight-live', lead);
  })();
}
