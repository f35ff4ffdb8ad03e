import type { PropsWithChildren } from 'hono/jsx';
import type { Gallery, MovieFilter } from '../../operations/batch/reviews.js';
import { BatchNav } from '../batch/batch-nav.js';
import { Bar } from '../parts/bar.js';
import { Crumbs } from '../parts/crumbs.js';
import type { Frame } from '../parts/frame.js';
import { A, LinkButton } from '../parts/link.js';
import { Brand, GuestPage, Page } from '../parts/page.js';
import { When } from '../parts/time.js';
import { MovieCard, SharedByCards } from './movie-card.js';

export const moviesPerPage = 60;

export interface GalleryProps {
  readonly frame: Frame;
  readonly gallery: Gallery;
  readonly filter: MovieFilter;
  /** The path of this gallery: of the batch, or of the link. */
  readonly path: string;
  /** Whether who looks may say what they think. */
  readonly mayReview: boolean;
  /** As a guest called themselves last. */
  readonly guest: string | null;
}

/** For people of the desk: the room around it, and what only they may do. */
export function GalleryPage({ children, ...props }: PropsWithChildren<GalleryProps>) {
  const { batchId } = props.gallery.batch;
  return (
    <Page frame={props.frame} title={`Review ${batchId}`} here="/">
      <div class="top">
        <Crumbs
          parts={[{ text: 'Batches', path: '/' }, { text: batchId, path: `/batches/${batchId}` }, { text: 'Gallery' }]}
        />
        <BatchNav batch={props.gallery.batch} here="gallery" />
      </div>
      <Movies {...props} />
      {children}
    </Page>
  );
}

/** For guests: no prices, and no other pages. */
export function SharedPage(props: GalleryProps) {
  const { gallery, frame } = props;
  return (
    <GuestPage frame={frame} title={`Review ${gallery.batch.campaign}`} kind="guest">
      <header class="bar-top">
        <Brand />
        {gallery.link && (
          <span class="soft small">
            Shared with you by {gallery.link.by}, until <When atMs={gallery.link.untilMs} />. No account needed; prices
            are not shown
          </span>
        )}
      </header>
      <main id="main" tabindex={-1}>
        <Movies {...props} />
      </main>
    </GuestPage>
  );
}

function Movies(props: GalleryProps) {
  const { gallery, filter, path } = props;
  const { batch, counts, movies } = gallery;
  const shown = movies.slice(0, moviesPerPage);
  const last = shown.at(-1);
  const left = batch.rowsToOrder - counts.all;
  return (
    <>
      <div class="top">
        <div class="row">
          <h1>
            {batch.campaign}, {counts.all === 1 ? '1 movie' : `${counts.all} movies`} to review
          </h1>
          {batch.state === 'making' && left > 0 && <span class="end soft small">{left} more are in progress</span>}
        </div>
        <Reviewed counts={counts} />
        <nav class="tabs" aria-label="Movies">
          <Tab {...{ filter, path }} of="all" words="All" count={counts.all} />
          <Tab {...{ filter, path }} of="unreviewed" words="To review" count={counts.all - counts.ok - counts.redo} />
          <Tab {...{ filter, path }} of="differs" words="Differs from the brief" count={counts.differs} />
          <Tab {...{ filter, path }} of="redo" words="Redo" count={counts.redo} />
        </nav>
      </div>
      {shown.length === 0 ? (
        <p class="say">{emptyWords(filter, counts.all)}</p>
      ) : (
        <>
          <SharedByCards {...props} />
          <section class="wall" aria-label="Movies in the order of the sheet">
            {shown.map((movie) => (
              <MovieCard {...props} movie={movie} />
            ))}
          </section>
          {props.mayReview && <p class="hint">A redo costs nothing until somebody at the desk orders it.</p>}
        </>
      )}
      {movies.length > moviesPerPage && last && (
        <nav class="row" aria-label="Pages">
          <span class="end">
            <LinkButton to={`${path}?${query(filter)}after=${last.position}`} size="small">
              Next
            </LinkButton>
          </span>
        </nav>
      )}
    </>
  );
}

function emptyWords(filter: MovieFilter, all: number): string {
  if (all === 0) return 'No movie is delivered so far. Each appears here as soon as it is saved and verified.';
  return {
    all: '',
    unreviewed: 'Every movie is reviewed.',
    differs: 'Every movie is as it was ordered.',
    redo: 'No movie is marked redo.',
  }[filter];
}

function Reviewed({ counts: { all, ok, redo } }: Pick<Gallery, 'counts'>) {
  return (
    <div class="review-bar">
      <p class="small">
        <b>
          {ok + redo} of {all}
        </b>{' '}
        reviewed{' '}
        <span class="soft">
          · {ok} OK, {redo} redo
        </span>
      </p>
      <Bar
        label={`${ok} OK, ${redo} redo, ${all - ok - redo} to review`}
        segments={[
          { fill: 'delivered', value: ok },
          { fill: 'failed', value: redo },
          { fill: 'rest', value: all - ok - redo },
        ]}
      />
    </div>
  );
}

interface TabProps {
  readonly of: MovieFilter;
  readonly filter: MovieFilter;
  readonly path: string;
  readonly words: string;
  readonly count: number;
}

function Tab({ of, filter, path, words, count }: TabProps) {
  const search = query(of).slice(0, -1);
  return (
    <A to={search === '' ? path : `${path}?${search}`} current={of === filter && 'true'}>
      <b>{words}</b> {count}
    </A>
  );
}

function query(filter: MovieFilter): string {
  return filter === 'all' ? '' : `show=${filter}&`;
}
