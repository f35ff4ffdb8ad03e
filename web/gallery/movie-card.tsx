import type { Movie } from '../../operations/batch/reviews.js';
import { useFrame } from '../parts/frame.js';
import { Button, Icon, PostForm } from '../parts/link.js';
import type { GalleryProps } from './gallery-page.js';

interface CardProps extends Pick<GalleryProps, 'path' | 'filter' | 'mayReview' | 'guest'> {
  readonly movie: Movie;
}

/** One movie: its poster, what was asked and whether it is that, and what a reviewer says. Nothing of it costs. */
export function MovieCard({ movie, ...props }: CardProps) {
  const { position, rowKey, brief, verdict, review } = movie;
  const [wide, high] = (brief.aspectRatio ?? '16:9').split(':').map(Number);
  const isFine = verdict === 'as ordered';
  return (
    <figure id={`m${position + 1}`}>
      <Stage movie={movie} path={props.path} shape={(wide ?? 16) >= (high ?? 9) ? 'w' : 'h'} />
      <figcaption>
        <b>{rowKey}</b>
        <span class="soft">
          asked {brief.aspectRatio ?? 'any shape'} · {brief.durationSeconds} s
        </span>
        <span class={isFine ? 'st good' : 'st warn doubt'}>
          <Icon name={isFine ? 'delivered' : 'review'} />
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
function Stage({ movie, path, shape }: { readonly movie: Movie; readonly path: string; readonly shape: 'w' | 'h' }) {
  const { basePath } = useFrame();
  const { rowKey, files, position } = movie;
  const of = (type: string) => {
    const file = files.find((one) => one.type === type);
    return file && `${basePath}${path}/films/${encodeURIComponent(rowKey)}/${encodeURIComponent(file.assetId)}`;
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
    <details class="stage" data-film>
      <summary>
        <span class="vh">Play {rowKey}, number</span>
        {image ?? <span class="soft">no poster</span>}
        {number}
        <span class="playing">
          <Icon name="play" />
        </span>
      </summary>
      {/* biome-ignore lint/a11y/useMediaCaption: where the service gave captions, they are here */}
      <video class={shape} src={video} controls preload="none" playsinline aria-label={rowKey}>
        {captions && <track kind="captions" src={captions} label="Captions" />}
      </video>
    </details>
  );
}

function Verdicts({ movie, path, filter, guest }: CardProps) {
  const { rowKey, review, position } = movie;
  const hidden = (
    <>
      <input type="hidden" name="row" value={rowKey} />
      <input type="hidden" name="position" value={String(position)} />
      <input type="hidden" name="show" value={filter} />
    </>
  );
  return (
    <div class="verdicts">
      <PostForm to={`${path}/reviews`}>
        {hidden}
        {guest !== null && <input type="hidden" name="guest" value={guest} />}
        <button
          class={review?.verdict === 'ok' ? 'b small on good' : 'b small'}
          name="verdict"
          value="ok"
          type="submit"
        >
          <Icon name="ok" />
          OK
        </button>
      </PostForm>
      <details>
        <summary class={review?.verdict === 'redo' ? 'b small on bad' : 'b small'}>
          <Icon name="redo" />
          Redo…
        </summary>
        <PostForm to={`${path}/reviews`} class="stack">
          {hidden}
          {guest !== null && (
            <label>
              Your name
              <input class="in" name="guest" value={guest} autocomplete="name" maxlength={60} required />
            </label>
          )}
          <label>
            What is to be other
            <textarea class="in" name="note" rows={3} maxlength={2_000} required>
              {review?.verdict === 'redo' ? review.note : ''}
            </textarea>
          </label>
          <p class="hint">It costs nothing until somebody at the desk orders it.</p>
          <Button name="verdict" value="redo" size="small">
            Mark redo
          </Button>
        </PostForm>
      </details>
    </div>
  );
}
