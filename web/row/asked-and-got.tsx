import type { RowHistory } from '../../operations/row-history.js';
import { useFrame } from '../parts/frame.js';
import { Icon, LinkButton } from '../parts/link.js';

/** What the sheet asked for, beside what came. */
export function AskedAndGot({ history: { row, status } }: { readonly history: RowHistory }) {
  const { brief, files, verdict } = row;
  const { batchId } = status.batch;
  const asked = [brief.aspectRatio, `${brief.durationSeconds} s`, brief.style].filter((part) => part !== null);
  return (
    <section class="card" aria-labelledby="asked">
      <div class="row">
        <h2 id="asked">Asked and got</h2>
        {files.length > 0 && (
          <span class="end">
            <LinkButton to={`/batches/${batchId}/gallery`} size="small" icon="play">
              Gallery
            </LinkButton>
          </span>
        )}
      </div>
      <p>{brief.prompt}</p>
      <dl class="facts">
        <dt>Asked</dt>
        <dd>
          {asked.join(', ')}
          {brief.references.length > 0 && `, ${brief.references.length} references`}
        </dd>
        <dt>Got</dt>
        <dd>{files.length === 0 ? <span class="soft">no files yet</span> : (verdict ?? 'not checked')}</dd>
      </dl>
      {row.state === 'delivered' && <Film row={row} batchId={batchId} />}
      {files.length > 0 && (
        <ul class="checks">
          {files.map(({ path, sizeBytes, sha256, type }) => (
            <li>
              <Icon name="file" tone="good" />
              <span class="mono">{path}</span>
              <span class="sub">
                {type.replaceAll('_', ' ')}, {sizeBytes.toLocaleString('en-US')} bytes, SHA-256{' '}
                <span class="mono">{sha256}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** As in the gallery: nothing of the film is fetched before it is played. */
function Film({ row: { rowKey, files }, batchId }: { readonly row: RowHistory['row']; readonly batchId: string }) {
  const { basePath } = useFrame();
  const at = `${basePath}/batches/${batchId}/gallery/films/${encodeURIComponent(rowKey)}`;
  const of = (type: string) => {
    const file = files.find((one) => one.type === type);
    return file && `${at}/${encodeURIComponent(file.assetId)}`;
  };
  const [video, poster, captions] = [of('final_video'), of('poster'), of('captions')];
  if (!video) return null;
  const still = poster && { poster: `${poster}/thumbnail` };
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- where the service gave captions, they are here
    <video class="film" src={video} {...still} controls preload="none" playsinline aria-label={rowKey}>
      {captions && <track kind="captions" src={captions} label="Captions" />}
    </video>
  );
}
