import { escapeHtml, relativeLink } from '../escape-html.js';
import { cardHtml, type GalleryCard, lookNames } from './gallery-card.js';
import { galleryScript, galleryScriptHash } from './gallery-script.js';
import { galleryStyle } from './gallery-style.js';

export interface GalleryPage {
  readonly title: string;
  /** Written by the team, a paragraph for each line; null for none. */
  readonly note: string | null;
  readonly summary: string;
  /** Files that lie beside the page. */
  readonly files: readonly { readonly path: string; readonly words: string }[];
  readonly page: number;
  readonly pages: number;
}

/** Cards of one page: a browser scrolls through so many posters without effort. */
export const cardsPerPage = 240;

export function galleryFileName(page: number): string {
  return page === 1 ? 'gallery.html' : `gallery-${page}.html`;
}

/** @param origins of films that lie elsewhere. */
function policyOf(origins: readonly string[]): string {
  return [
    "default-src 'none'",
    ["img-src 'self' file:", ...origins].join(' '),
    ["media-src 'self' file: data:", ...origins].join(' '),
    "style-src 'unsafe-inline'",
    `script-src '${galleryScriptHash}'`,
  ].join('; ');
}

function originsOf(cards: readonly GalleryCard[]): readonly string[] {
  const links = cards.flatMap(({ video, poster, storyboard, captions }) => [
    ...[video, poster, storyboard],
    captions && 'path' in captions ? captions.path : null,
  ]);
  const addresses = links.filter((link) => link !== null && /^https?:\/\//.test(link)) as readonly string[]; // nulls are out
  return [...new Set(addresses.map((address) => new URL(address).origin))];
}

/**
 * A contact sheet that opens from a disk, under any name: no network, links relative, films beside it. Everything that
 * a sheet, a person or a service said is escaped.
 */
export function galleryHtml(page: GalleryPage, cards: readonly GalleryCard[]): string {
  const looks = new Set(cards.map(({ look }) => look));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policyOf(originsOf(cards))}">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(page.title)}</title>
<style>${galleryStyle}</style>
</head>
<body>
<header>
<h1 dir="auto">${escapeHtml(page.title)}</h1>
${noteHtml(page.note)}<p class="summary">${escapeHtml(page.summary)}${filesHtml(page)}</p>
${looks.size > 1 ? filter(looks) : ''}
</header>
<main>
${cards.map(cardHtml).join('\n')}
</main>
${pagesHtml(page)}
<script>${galleryScript}</script>
</body>
</html>
`;
}

function noteHtml(note: string | null): string {
  const lines = (note ?? '').split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.map((line) => `<p class="note" dir="auto">${escapeHtml(line)}</p>\n`).join('');
}

function filesHtml({ files }: GalleryPage): string {
  return files.map(({ path, words }) => ` <a href="${relativeLink(path)}">${escapeHtml(words)}</a>`).join('');
}

/** Radio buttons that the style sheet reads: filtering without a script. */
function filter(looks: ReadonlySet<GalleryCard['look']>): string {
  const shown = (['ok', 'review', 'none'] as const).filter((look) => looks.has(look));
  const choice = (value: string, name: string, checked = '') =>
    `<label><input type="radio" name="show" value="${value}"${checked}> ${name}</label>`;
  const choices = shown.map((look) => choice(look, lookNames[look]));
  return `<fieldset class="show"><legend>Show</legend>${choice('all', 'all', ' checked')}${choices.join('')}</fieldset>`;
}

function pagesHtml({ page, pages }: GalleryPage): string {
  if (pages === 1) return '';
  const link = (to: number, words: string, rel: string) =>
    to < 1 || to > pages ? '' : `<a rel="${rel}" href="${galleryFileName(to)}">${words}</a>`;
  return `<nav aria-label="Pages">${link(page - 1, 'previous', 'prev')} <span>page ${page} of ${pages}</span> ${link(page + 1, 'next', 'next')}</nav>`;
}
