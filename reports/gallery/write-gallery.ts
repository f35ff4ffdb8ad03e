import { basename } from 'node:path';
import type { RowCounts } from '../../domain/batch-state.js';
import type { BatchView } from '../../ledger/batches/batches.js';
import { type Addresses, linkInArchive, type PagePlace } from '../link-in-archive.js';
import { type ReportTarget, writeReport } from '../report-folder.js';
import type { ResultRow } from '../result-row.js';
import { movieCard } from './card-of-movie.js';
import type { CardCaptions, GalleryCard } from './gallery-card.js';
import { cardsPerPage, galleryFileName, galleryHtml } from './gallery-page.js';

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
  #cards: GalleryCard[] = [];

  constructor(target: ReportTarget, source: GallerySource) {
    this.#target = target;
    this.#source = source;
  }

  /** @param addresses of its files, where they are reached by others than their own. */
  async add(result: ResultRow, addresses?: Addresses): Promise<void> {
    this.#number += 1;
    const place = {
      batchId: this.#source.batch.batchId,
      toArchive: this.#source.toArchive,
      ...(addresses && { addresses }),
    };
    this.#cards.push(await cardOf(result, { place, number: this.#number, target: this.#target }));
    if (this.#cards.length === cardsPerPage) await this.#write();
  }

  /** Writes the last page; an empty batch has one too. */
  async end(): Promise<void> {
    if (this.#cards.length > 0 || this.#page === 1) await this.#write();
  }

  async #write(): Promise<void> {
    const html = galleryHtml({ ...headOf(this.#source), page: this.#page }, this.#cards);
    await writeReport(this.#target, galleryFileName(this.#page), html);
    this.#page += 1;
    this.#cards = [];
  }
}

function headOf({ batch, counts }: GallerySource) {
  const delivered = (counts.delivered ?? 0) + (counts.unchanged ?? 0);
  return {
    pages: Math.max(1, Math.ceil(batch.rowsInSheet / cardsPerPage)),
    title: `${batch.batchId}${batch.service.rehearsal ? ' (rehearsal)' : ''}`,
    note: null,
    summary: `${sheetName(batch)}: ${delivered} of ${batch.rowsInSheet} movies delivered by ${batch.service.name}`,
    files: [{ path: 'results.csv', words: 'Results' }],
  };
}

/** A sheet at an address has no name that says anything. */
function sheetName({ manifestName, campaign }: BatchView): string {
  return manifestName.includes('://') ? campaign : basename(manifestName);
}

interface CardSource {
  readonly place: PagePlace;
  readonly number: number;
  readonly target: ReportTarget;
}

async function cardOf(result: ResultRow, { number, place, target }: CardSource): Promise<GalleryCard> {
  const pathOf = (type: string) => result.files.find((file) => file.type === type)?.path;
  const fileOf = (type: string) => {
    const path = pathOf(type);
    return path === undefined ? null : linkInArchive(path, place);
  };
  return movieCard(result, {
    ...{ number, video: fileOf('final_video'), poster: fileOf('poster'), storyboard: fileOf('storyboard') },
    captions: await captionsOf(pathOf('captions'), { place, target }),
  });
}

async function captionsOf(
  path: string | undefined,
  { place, target }: { readonly place: PagePlace; readonly target: ReportTarget },
): Promise<CardCaptions | null> {
  if (path === undefined) return null;
  const text = (await target.textOf?.(path)) ?? null;
  return text === null ? { path: linkInArchive(path, place) } : { text };
}
