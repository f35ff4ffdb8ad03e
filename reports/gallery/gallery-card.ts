import { escapeHtml, relativeLink } from '../escape-html.js';

/** One movie of the contact sheet. Paths are relative to the folder of the page. */
export interface GalleryCard {
  /** Its place in the gallery, from 1: what people say on the phone. */
  readonly number: number;
  readonly rowKey: string;
  readonly prompt: string;
  readonly state: string;
  /** As `9:16, 20 s`. */
  readonly asked: string;
  /** Where it is not what was asked for, what was measured; null otherwise. */
  readonly got: string | null;
  /** `ok`: as ordered. `review`: measured against asked it differs. `none`: no movie here. */
  readonly look: 'ok' | 'review' | 'none';
  /** Why there is no movie. */
  readonly reason: string | null;
  readonly video: string | null;
  readonly poster: string | null;
  readonly storyboard: string | null;
  readonly captions: CardCaptions | null;
  /** Width over height that was asked for, as CSS writes it: `9 / 16`. */
  readonly shape: string;
}

/**
 * Captions as WebVTT. A browser reads none from a file beside a page that was opened from a disk, so their text stands
 * in the page where it is known.
 */
export type CardCaptions = { readonly path: string } | { readonly text: string };

export const lookNames = { ok: 'as ordered', review: 'needs review', none: 'no movie' } as const;

export function cardHtml(card: GalleryCard): string {
  const { number, rowKey, look, asked, got, reason, prompt } = card;
  const words = look === 'none' ? card.state : lookNames[look];
  return `<figure class="${look}" id="movie-${number}">
${frame(card)}
<figcaption>
<h2 class="name"><b>${number}</b> ${escapeHtml(rowKey)} <span class="mark">${escapeHtml(words)}</span></h2>
<p class="size">${escapeHtml(asked)}${got === null ? '' : ` <span class="got">${escapeHtml(got)}</span>`}</p>
${reason === null ? '' : `<p class="why" dir="auto">${escapeHtml(reason)}</p>`}
<p class="prompt" dir="auto">${escapeHtml(prompt)}</p>
${links(card)}</figcaption>
</figure>`;
}

/** A poster that opens to its film: nothing is fetched before that, and what is printed shows no controls. */
function frame(card: GalleryCard): string {
  const { video, poster, shape, rowKey, state } = card;
  const style = `style="aspect-ratio: ${escapeHtml(shape)}"`;
  if (video === null) return `<div class="frame"><div class="empty" ${style}>${escapeHtml(state)}</div></div>`;
  const name = escapeHtml(rowKey);
  if (poster === null) return `<div class="frame bare">${player(card, style)}</div>`;
  const still = `<img src="${relativeLink(poster)}" alt="" loading="lazy" ${style}>`;
  return `<details class="frame" name="film"><summary aria-label="Play ${name}">${still}</summary>${player(card, style)}</details>`;
}

function player({ video, poster, captions, rowKey }: GalleryCard, style: string): string {
  const image = poster === null ? '' : ` poster="${relativeLink(poster)}"`;
  // Without a poster the browser needs the head of the film to show anything at all.
  const preload = poster === null ? 'metadata' : 'none';
  const track =
    captions === null ? '' : `<track kind="captions" label="Captions" src="${captionsLink(captions)}" default>`;
  return `<video controls preload="${preload}" playsinline ${style} src="${relativeLink(video ?? '')}"${image} aria-label="${escapeHtml(rowKey)}">${track}</video>`;
}

function captionsLink(captions: CardCaptions): string {
  if ('path' in captions) return relativeLink(captions.path);
  return `data:text/vtt;base64,${Buffer.from(captions.text).toString('base64')}`;
}

function links({ video, storyboard, rowKey }: GalleryCard): string {
  const name = escapeHtml(rowKey);
  const link = (path: string | null, words: string) =>
    path === null ? [] : [`<a href="${relativeLink(path)}" aria-label="${words} of ${name}">${words}</a>`];
  const found = [...link(video, 'Film'), ...link(storyboard, 'Storyboard')];
  return found.length === 0 ? '' : `<p class="links">${found.join(' ')}</p>\n`;
}
