import { raw } from 'hono/html';
import type { Movie } from '../../operations/batch/reviews.js';
import { assetPath, iconSymbol } from '../assets/assets.js';
import { formTokenField } from '../guard/form-token.js';
import { useFrame } from '../parts/frame.js';
import type { IconName } from '../parts/icon-names.js';
import type { GalleryProps } from './gallery-page.js';
import { lookFields } from './look.js';

/*
 * A page has 60 of these, so what they share is said once: the symbols of their icons, and the one form of all that is
 * said. Their addresses go from the gallery's own.
 */

interface CardProps extends Pick<GalleryProps, 'path' | 'look' | 'mayReview' | 'notes'> {
  readonly movie: Movie;
}

/** The form of all cards, and of a guest's name above them. */
export const reviewForm = 'say';

/** What the cards of a page share. */
export function SharedByCards(props: Pick<GalleryProps, 'path' | 'look' | 'mayReview' | 'notes'>) {
  const { look, mayReview } = props;
  const { basePath, formToken, actor } = useFrame();
  return (
    <>
      <svg class="vh" aria-hidden="true">
        {(['delivered', 'review', 'ok', 'redo'] as const).map((name) => raw(iconSymbol(name)))}
      </svg>
      {mayReview && (
        <>
          <form class="vh" id={reviewForm} method="post" action={`${besideOf(props)}reviews`} data-by={actor?.name}>
            {formToken && <input type="hidden" name={formTokenField} value={formToken} />}
            {lookFields(look).map(([name, value]) => (
              <input type="hidden" name={name} value={value} />
            ))}
          </form>
          <script type="module" src={basePath + assetPath('notes.js')} />
        </>
      )}
    </>
  );
}

/** Beside the gallery, whatever is before its own name; an answer to its form is among them already. */
function besideOf({ path, notes }: Pick<GalleryProps, 'path' | 'notes'>): string {
  return notes === null ? `${path.slice(path.lastIndexOf('/') + 1)}/` : '';
}

function CardIcon({ name }: { readonly name: IconName }) {
  return raw(`<svg class=i aria-hidden=true><use href="#i-${name}"/></svg>`);
}

/** One movie: its poster, what was asked and whether it is that, and what a reviewer says. Nothing of it costs. */
export function MovieCard({ movie, ...props }: CardProps) {
  const { position, rowKey, brief, verdict, review } = movie;
  const [wide, high] = (brief.aspectRatio ?? '16:9').split(':').map(Number);
  const isFine = verdict === 'as ordered';
  return (
    <figure id={`m${position + 1}`}>
      <Stage movie={movie} beside={besideOf(props)} shape={(wide ?? 16) >= (high ?? 9) ? 'w' : 'h'} />
      <figcaption>
        <b>{rowKey}</b>
        <span class="soft">
          asked {brief.aspectRatio ?? 'any shape'} · {brief.durationSeconds} s
        </span>
        <span class={isFine ? 'st good' : 'st warn doubt'}>
          <CardIcon name={isFine ? 'delivered' : 'review'} />
          {verdict.replace(/^needs review: /, '')}
        </span>
        {review && (
          <p class="soft">
            {review.note !== null && <>“{review.note}” </>}
            <span class="nw">– {review.by}</span>
          </p>
        )}
        {props.mayReview ? <Verdicts movie={movie} {...props} /> : review && <p>{review.verdict}</p>}
      </figcaption>
    </figure>
  );
}

/** The poster; a click opens the film in its place. Nothing of the film is fetched before it is played. */
function Stage({
  movie,
  beside,
  shape,
}: {
  readonly movie: Movie;
  readonly beside: string;
  readonly shape: 'w' | 'h';
}) {
  const { rowKey, files, position } = movie;
  const of = (type: string) => {
    const file = files.find((one) => one.type === type);
    return file && `${beside}films/${encodeURIComponent(rowKey)}/${encodeURIComponent(file.assetId)}`;
  };
  const [video, poster, captions] = [of('final_video'), of('poster'), of('captions')];
  const image = poster && <img class={shape} src={`${poster}/thumbnail`} alt="" loading="lazy" />;
  const number = <span class="num">{position + 1}</span>;
  if (!video)
    return (
      <div class="stage">
        {image ?? <span class="soft">no film</span>} {number}
      </div>
    );
  return (
    <details class="stage">
      <summary>
        <span class="vh">Play {rowKey}, number</span>
        {image ?? <span class="soft">no poster</span>}
        {number}
      </summary>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- where the service gave captions, they are here */}
      <video class={shape} src={video} controls preload="none" playsinline aria-label={rowKey}>
        {captions && <track kind="captions" src={captions} label="Captions" />}
      </video>
    </details>
  );
}

/** The button that was pressed names its card; the note of each has its number. */
function Verdicts({ movie, look: { withoutNote }, notes }: Pick<CardProps, 'movie' | 'look' | 'notes'>) {
  const { rowKey, review, position } = movie;
  const unsent = notes?.get(position);
  const card = `${position} ${rowKey}`;
  return (
    <div class="verdicts">
      <button
        type="submit"
        {...{ class: review?.verdict === 'ok' ? 'b small on good' : 'b small' }}
        {...{ form: reviewForm, name: 'ok', value: card }}
      >
        <CardIcon name="ok" />
        OK
      </button>
      <details open={position === withoutNote || unsent !== undefined}>
        <summary class={review?.verdict === 'redo' ? 'b small on bad' : 'b small'}>
          <CardIcon name="redo" />
          Redo…
        </summary>
        <div class="stack">
          <label>
            What should be different
            <textarea
              {...{ class: 'in', form: reviewForm, name: noteField(position), maxlength: 2_000 }}
              {...(position === withoutNote && { autofocus: true, 'aria-invalid': 'true' })}
            >
              {unsent ?? storedNote(movie)}
            </textarea>
          </label>
          <button class="b small" type="submit" form={reviewForm} name="redo" value={card}>
            Mark redo
          </button>
        </div>
      </details>
    </div>
  );
}

export function storedNote({ review }: Movie): string {
  return (review?.verdict === 'redo' && review.note) || '';
}

export function noteField(position: number): string {
  return `note${position}`;
}
