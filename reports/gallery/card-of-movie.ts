import type { ResultRow } from '../result-row.js';
import type { GalleryCard } from './gallery-card.js';

type Placed = Pick<GalleryCard, 'number' | 'video' | 'poster' | 'storyboard' | 'captions'>;

/** A movie as a card, its files where the page finds them. */
export function movieCard({ row, verdict, reason }: ResultRow, placed: Placed): GalleryCard {
  const { brief, state, rowKey } = row;
  const ratio = brief.aspectRatio;
  const findings = reviewFindings(verdict);
  const hasMovie = placed.video !== null;
  return {
    ...placed,
    rowKey,
    prompt: brief.prompt,
    state: state.replaceAll('_', ' '),
    asked: `${ratio === null ? '' : `${ratio}, `}${brief.durationSeconds} s`,
    got: hasMovie ? findings : null,
    look: !hasMovie ? 'none' : findings === null ? 'ok' : 'review',
    reason: hasMovie ? null : reason,
    shape: (ratio ?? '16:9').replace(':', ' / '),
  };
}

/** What a look at the file found to differ from the order; null for one that is as ordered. */
export function reviewFindings(verdict: string | null): string | null {
  const mark = 'needs review: ';
  return verdict?.startsWith(mark) ? verdict.slice(mark.length) : null;
}
