import { escapeHtml, relativeLink } from './escape-html.js';
import { galleryStyle } from './gallery-style.js';

/** One movie of the contact sheet. Paths are relative to the folder of the page. */
export interface GalleryCell {
  /** Its place in the sheet, from 1: what people say on the phone. */
  readonly number: number;
  readonly rowKey: string;
  readonly prompt: string;
  readonly state: string;
  /** As `9:16  20 s`. */
  readonly asked: string;
  /** As `720x1280  20.0 s`; null while there is nothing to measure. */
  readonly got: string | null;
  /** `ok`: as ordered. `review`: measured against asked it differs. `none`: no movie here. */
  readonly look: 'ok' | 'review' | 'none';
  /** Why it is to be reviewed, or why there is no movie. */
  readonly reason: string | null;
  readonly video: string | null;
  readonly poster: string | null;
  readonly captions: string | null;
  /** Width over height that was asked for, as CSS writes it: `9 / 16`. */
  readonly shape: string;
}

export interface GalleryPage {
  readonly title: string;
  readonly summary: string;
  readonly page: number;
  readonly pages: number;
}

/** Cells of one page: a browser scrolls through so many posters without effort. */
export const cellsPerPage = 240;

export function galleryFileName(page: number): string {
  return page === 1 ? 'gallery.html' : `gallery-${page}.html`;
}

/**
 * A contact sheet of the batch that opens from a disk: no scripts, no network, films beside it. Everything that a sheet
 * or a service said is escaped.
 */
export function galleryHtml(page: GalleryPage, cells: readonly GalleryCell[]): string {
  const looks = new Set(cells.map(({ look }) => look));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:; media-src 'self' file:; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(page.title)}</title>
<style>${galleryStyle}</style>
</head>
<body>
<header>
<h1>${escapeHtml(page.title)}</h1>
<p>${escapeHtml(page.summary)}</p>
${looks.size > 1 ? filter(looks) : ''}
</header>
<main>
${cells.map(cellHtml).join('\n')}
</main>
${pagesHtml(page)}
</body>
</html>
`;
}

const lookNames = { ok: 'as ordered', review: 'needs review', none: 'no movie' } as const;

/** Radio buttons that the style sheet reads: filtering without a script. */
function filter(looks: ReadonlySet<GalleryCell['look']>): string {
  const shown = (['ok', 'review', 'none'] as const).filter((look) => looks.has(look));
  const choice = (value: string, name: string, checked = '') =>
    `<label><input type="radio" name="show" value="${value}"${checked}> ${name}</label>`;
  const choices = shown.map((look) => choice(look, lookNames[look]));
  return `<fieldset class="show"><legend>Show</legend>${choice('all', 'all', ' checked')}${choices.join('')}</fieldset>`;
}

function cellHtml(cell: GalleryCell): string {
  const { number, rowKey, look, asked, got, reason, prompt } = cell;
  const words = look === 'ok' ? 'ok' : look === 'review' ? 'review' : cell.state;
  return `<figure class="${look}" id="row-${number}">
${frame(cell)}
<figcaption>
<h2 class="name"><b>${number}</b> ${escapeHtml(rowKey)} <span class="mark">${escapeHtml(words)}</span></h2>
<p class="size">asked ${escapeHtml(asked)}${got === null ? '' : ` | got ${escapeHtml(got)}`}</p>
${reason === null ? '' : `<p class="why" dir="auto">${escapeHtml(reason)}</p>`}
<p class="prompt" dir="auto">${escapeHtml(prompt)}</p>
</figcaption>
</figure>`;
}

/** A poster that opens to its film: nothing is fetched before that, and what is printed shows no controls. */
function frame(cell: GalleryCell): string {
  const { video, poster, shape, rowKey, state } = cell;
  const style = `style="aspect-ratio: ${escapeHtml(shape)}"`;
  if (video === null) return `<div class="frame"><div class="empty" ${style}>${escapeHtml(state)}</div></div>`;
  const name = escapeHtml(rowKey);
  if (poster === null) return `<div class="frame">${player(cell, style)}</div>`;
  const still = `<img src="${relativeLink(poster)}" alt="" loading="lazy" ${style}>`;
  return `<details class="frame"><summary aria-label="Play ${name}">${still}</summary>${player(cell, style)}</details>`;
}

function player({ video, poster, captions, rowKey }: GalleryCell, style: string): string {
  const image = poster === null ? '' : ` poster="${relativeLink(poster)}"`;
  // Without a poster the browser needs the head of the film to show anything at all.
  const preload = poster === null ? 'metadata' : 'none';
  const track =
    captions === null ? '' : `<track kind="captions" label="Captions" src="${relativeLink(captions)}" default>`;
  return `<video controls preload="${preload}" playsinline ${style} src="${relativeLink(video ?? '')}"${image} aria-label="${escapeHtml(rowKey)}">${track}</video>`;
}

function pagesHtml({ page, pages }: GalleryPage): string {
  if (pages === 1) return '';
  const link = (to: number, words: string, rel: string) =>
    to < 1 || to > pages ? '' : `<a rel="${rel}" href="${galleryFileName(to)}">${words}</a>`;
  return `<nav>${link(page - 1, 'previous', 'prev')} <span>page ${page} of ${pages}</span> ${link(page + 1, 'next', 'next')}</nav>`;
}
