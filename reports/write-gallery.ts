import { posix } from 'node:path';
import type { RowCounts } from '../domain/batch-state.js';
import type { BatchView } from '../ledger/batches.js';
import { cellsPerPage, type GalleryCell, galleryFileName, galleryHtml } from './gallery.js';
import type { ReportTarget } from './report-folder.js';
import type { ResultRow } from './result-row.js';

export interface GallerySource {
  readonly batch: BatchView;
  readonly counts: RowCounts;
  readonly rows: AsyncIterable<ResultRow>;
  /** From the folder of the page to the root of the archive, with `/`. */
  readonly toArchive: string;
}

/** Writes the contact sheet, a page at a time. */
export async function writeGallery(target: ReportTarget, source: GallerySource): Promise<void> {
  const { batch, counts, rows, toArchive } = source;
  const pages = Math.max(1, Math.ceil(batch.rowsInSheet / cellsPerPage));
  const title = `${batch.batchId}${batch.service.rehearsal ? ' (rehearsal)' : ''}`;
  const delivered = (counts.delivered ?? 0) + (counts.unchanged ?? 0);
  const summary = `${batch.manifestName}: ${delivered} of ${batch.rowsInSheet} movies delivered by ${batch.service.name}`;
  let page = 1;
  let cells: GalleryCell[] = [];
  const flush = async () => {
    await target.write(galleryFileName(page), [galleryHtml({ title, summary, page, pages }, cells)]);
    page += 1;
    cells = [];
  };
  for await (const result of rows) {
    cells.push(cellOf(result, toArchive));
    if (cells.length === cellsPerPage) await flush();
  }
  if (cells.length > 0 || page === 1) await flush();
}

function cellOf({ row, files, verdict, reason }: ResultRow, toArchive: string): GalleryCell {
  const { brief, state, rowKey } = row;
  const fileOf = (type: string) => {
    const path = files.find((file) => file.type === type)?.path;
    return path === undefined ? null : posix.join(toArchive, path);
  };
  const video = fileOf('final_video');
  const ratio = brief.aspectRatio;
  const findings = verdict?.startsWith('needs review: ') ? verdict.slice('needs review: '.length) : null;
  return {
    number: row.row,
    rowKey,
    prompt: brief.prompt,
    state: state.replaceAll('_', ' '),
    asked: `${ratio === null ? '' : `${ratio}, `}${brief.durationSeconds} s`,
    got: video === null ? null : (findings ?? 'the same'),
    look: video === null ? 'none' : findings === null ? 'ok' : 'review',
    reason: video === null ? reason : null,
    video,
    poster: fileOf('poster'),
    shape: (ratio ?? '16:9').replace(':', ' / '),
  };
}
