import type { PropsWithChildren } from 'hono/jsx';
import { type Gallery, type MovieFilter, mostMarkets } from '../../operations/batch/reviews.js';
import { BatchNav } from '../batch/batch-nav.js';
import { Bar } from '../parts/bar.js';
import { Crumbs } from '../parts/crumbs.js';
import type { Frame } from '../parts/frame.js';
import { A, Button, Icon, LinkButton } from '../parts/link.js';
import { Brand, GuestPage, Page } from '../parts/page.js';
import { Problem } from '../parts/problem.js';
import { When } from '../parts/time.js';
import { galleryPath, type Look } from './look.js';
import { MovieCard, reviewForm, SharedByCards } from './movie-card.js';

export const moviesPerPage = 60;

export interface GalleryProps {
  readonly frame: Frame;
  readonly gallery: Gallery;
  readonly look: Look;
  /** The path of this gallery: of the batch, or of the link. */
  readonly path: string;
  /** Whether who looks may say what they think. */
  readonly mayReview: boolean;
  /** Where a verdict was sent from this page: notes of other movies that came with it, by position; else null. */
  readonly notes: ReadonlyMap<number, string> | null;
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
  const { gallery, look, path } = props;
  const { withoutNote } = look;
  const { counts, shownCounts, movies } = gallery;
  const shown = movies.slice(0, moviesPerPage);
  const last = shown.at(-1);
  return (
    <>
      <div class="top">
        <Head {...props} />
        <Reviewed counts={shownCounts} />
        <div class="filters">
          <nav class="tabs" aria-label="Movies">
            <Tab {...{ look, path }} of="all" words="All" count={shownCounts.all} />
            <Tab {...{ look, path }} of="unreviewed" words="To review" count={unreviewed(shownCounts)} />
            <Tab {...{ look, path }} of="differs" words="Differs from the brief" count={shownCounts.differs} />
            <Tab {...{ look, path }} of="redo" words="Redo" count={shownCounts.redo} />
          </nav>
          <span class="grow" />
          <Markets look={look} markets={gallery.markets} />
          {props.guest !== null && <YourName guest={props.guest} />}
        </div>
      </div>
      {withoutNote !== null && (
        <Problem>
          Say what should be different, then mark it redo: <A to={`#m${withoutNote + 1}`}>number {withoutNote + 1}</A>.
          Nothing was changed.
        </Problem>
      )}
      {props.notes && withoutNote === null && (
        <p class="say good" role="status">
          <Icon name="ok" />
          <span>
            Your verdict is recorded. What you wrote of{' '}
            {props.notes.size === 1 ? 'another movie is' : `${props.notes.size} other movies is`} not sent yet; it is
            below.
          </span>
        </p>
      )}
      <SharedByCards {...props} />
      {shown.length === 0 ? (
        <p class="say">{emptyWords(look, counts.all)}</p>
      ) : (
        <>
          <section class="wall" aria-label="Movies in the order of the sheet">
            {shown.map((movie) => (
              <MovieCard {...props} movie={movie} />
            ))}
          </section>
          {props.mayReview && <p class="hint">A redo costs nothing until somebody at the desk orders it.</p>}
        </>
      )}
      <Pages look={look} path={path} next={movies.length > moviesPerPage && last ? last.position : null} />
    </>
  );
}

function Head({ gallery, look }: GalleryProps) {
  const { batch, counts, shownCounts } = gallery;
  const left = batch.rowsToOrder - counts.all;
  return (
    <div class="row">
      <h1>
        {batch.campaign}
        {look.market !== null && `, ${look.market}`},{' '}
        {shownCounts.all === 1 ? '1 movie' : `${shownCounts.all.toLocaleString('en-US')} movies`} to review
      </h1>
      {batch.state === 'making' && left > 0 && (
        <span class="end soft small">{left.toLocaleString('en-US')} more are in progress</span>
      )}
    </div>
  );
}

/** Of a sheet that names no markets there is nothing to choose. */
function Markets({ look, markets }: { readonly look: Look; readonly markets: readonly string[] }) {
  if (markets.length === 0) return null;
  const { filter, market } = look;
  return (
    <form class="row" method="get">
      {filter !== 'all' && <input type="hidden" name="show" value={filter} />}
      {markets.length > mostMarkets ? (
        <input class="in" name="market" type="search" value={market ?? ''} placeholder="Market" aria-label="Market" />
      ) : (
        <select class="in" name="market" aria-label="Market">
          <option value="">All markets</option>
          {markets.map((one) => (
            <option selected={one === market}>{one}</option>
          ))}
        </select>
      )}
      <Button>Filter</Button>
    </form>
  );
}

/** Goes with every verdict. Enter keeps the name and no more: its button is the form's first one. */
function YourName({ guest }: { readonly guest: string }) {
  return (
    <span class="row">
      <label class="vh" for="guest">
        Your name
      </label>
      <input
        {...{ class: 'in', id: 'guest', form: reviewForm, name: 'guest', value: guest, placeholder: 'Your name' }}
        {...{ autocomplete: 'name', maxlength: 60, required: true, size: 14 }}
      />
      <button class="b" type="submit" form={reviewForm}>
        Keep
      </button>
    </span>
  );
}

function Pages({ look, path, next }: { readonly look: Look; readonly path: string; readonly next: number | null }) {
  if (next === null && look.after === null) return null;
  return (
    <nav class="row" aria-label="Pages">
      <span class="end row">
        {look.after !== null && (
          <LinkButton to={galleryPath(path, { ...look, after: null })} size="small">
            First
          </LinkButton>
        )}
        {next !== null && (
          <LinkButton to={galleryPath(path, { ...look, after: next })} size="small">
            Next
          </LinkButton>
        )}
      </span>
    </nav>
  );
}

function emptyWords({ filter, market }: Look, all: number): string {
  if (all === 0) return 'No movie is delivered so far. Each appears here as soon as it is saved and verified.';
  const of = market === null ? '' : ` of ${market}`;
  return {
    all: `No movie${of} is delivered so far.`,
    unreviewed: `Every movie${of} is reviewed.`,
    differs: `Every movie${of} is as it was ordered.`,
    redo: `No movie${of} is marked redo.`,
  }[filter];
}

function unreviewed({ all, ok, redo }: Gallery['counts']): number {
  return all - ok - redo;
}

function Reviewed({ counts: { all, ok, redo } }: Pick<Gallery, 'counts'>) {
  return (
    <div class="review-bar">
      <p class="small">
        <b>
          {(ok + redo).toLocaleString('en-US')} of {all.toLocaleString('en-US')}
        </b>{' '}
        reviewed{' '}
        <span class="soft">
          · {ok.toLocaleString('en-US')} OK, {redo.toLocaleString('en-US')} redo
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
  readonly look: Look;
  readonly path: string;
  readonly words: string;
  readonly count: number;
}

function Tab({ of, look, path, words, count }: TabProps) {
  return (
    <A to={galleryPath(path, { ...look, filter: of, after: null })} current={of === look.filter && 'true'}>
      <b>{words}</b> {count.toLocaleString('en-US')}
    </A>
  );
}
