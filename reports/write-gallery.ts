import { basename, posix } from 'node:path';
import type { RowCounts } from '../domain/batch-state.js';
import type { BatchView } from '../ledger/batches/batches.js';
import { cellsPerPage, type GalleryCell, galleryFileName, galleryHtml } from './gallery.js';
import { type ReportTarget, writeReport } from './report-folder.js';
import type { ResultRow } from './result-row.js';

export interface GallerySource {
  readonly batch: BatchView;
  readonly counts: RowCounts;
  /** From the folder of the page to the root of the archive, with `/`. */
  readonly toArchive: string;
}

/** Writes the contact sheet of a batch as its rows come, a page in memory at a time. */
export class GalleryWriter {
  readonly #target: ReportTarget;
  readonly #source: GallerySource;
  #page = 1;
  #number = 0;
  #cells: GalleryCell[] = [];

  constructor(target: ReportTarget, source: GallerySource) {
    this.#target = target;
    this.#source = source;
  }

  async add(result: ResultRow): Promise<void> {
    this.#number += 1;
    this.#cells.push({ ...cellOf(result, this.#source), number: this.#number });
    if (this.#cells.length === cellsPerPage) await this.#write();
  }

  /** Writes the last page; an empty batch has one too. */
  async end(): Promise<void> {
    if (this.#cells.length > 0 || this.#page === 1) await this.#write();
  }

  async #write(): Promise<void> {
    const html = galleryHtml({ ...headOf(this.#source), page: this.#page }, this.#cells);
    await writeReport(this.#target, galleryFileName(this.#page), html);
    this.#page += 1;
    this.#cells = [];
  }
}

function headOf({ batch, counts }: GallerySource) {
  const delivered = (counts.delivered ?? 0) + (counts.unchanged ?? 0);
  return {
    pages: Math.max(1, Math.ceil(batch.rowsInSheet / cellsPerPage)),
    title: `${batch.batchId}${batch.service.rehearsal ? ' (rehearsal)' : ''}`,
    summary: `${basename(batch.manifestName)}: ${delivered} of ${batch.rowsInSheet} movies delivered by ${batch.service.name}`,
  };
}

/** Films of the batch lie beside its page, whatever their folder is called by now; others where the archive has them. */
function linkTo(path: string, { batch, toArchive }: GallerySource): string {
  const own = `${batch.batchId}/`;
  return toArchive === '..' && path.startsWith(own) ? path.slice(own.length) : posix.join(toArchive, path);
}

function cellOf({ row, files, verdict, reason }: ResultRow, source: GallerySource): Omit<GalleryCell, 'number'> {
  const { brief, state, rowKey } = row;
  const fileOf = (type: string) => {
    const path = files.find((file) => file.type === type)?.path;
    return path === undefined ? null : linkTo(path, source);
  };
  const video = fileOf('final_video');
  const ratio = brief.aspectRatio;
  const findings = verdict?.startsWith('needs review: ') ? verdict.slice('needs review: '.length) : null;
  return {
    rowKey,
    prompt: brief.prompt,
    state: state.replaceAll('_', ' '),
    asked: `${ratio === null ? '' : `${ratio}, `}${brief.durationSeconds} s`,
    got: video === null ? null : (findings ?? 'the same'),
    look: video === null ? 'none' : findings === null ? 'ok' : 'review',
    reason: video === null ? reason : null,
    video,
    poster: fileOf('poster'),
    captions: fileOf('captions'),
    shape: (ratio ?? '16:9').replace(':', ' / '),
  };
}
