import { text } from 'node:stream/consumers';
import pLimit from 'p-limit';
import { byteOrderMark } from '../csv-line.js';
import { movieCard } from '../gallery/card-of-movie.js';
import type { CardCaptions, GalleryCard } from '../gallery/gallery-card.js';
import { cardsPerPage, galleryFileName, galleryHtml } from '../gallery/gallery-page.js';
import { csvRow } from '../table.js';
import { tableWorkbook, type WorkbookTable } from '../workbook.js';
import { type BundleEntry, BundleError, Checksums, type DeliveredFiles, textEntry } from './bundle-entry.js';
import { checksumsName } from './checksums-file.js';
import type { PlacedFile, PlacedMovie } from './place-movies.js';

export interface BundleContent {
  readonly title: string;
  readonly note: string | null;
  /** As `12 movies, 29 November 2026`. */
  readonly summary: string;
  readonly movies: readonly PlacedMovie[];
  readonly table: WorkbookTable;
  readonly files: DeliveredFiles;
}

/**
 * Every file of a bundle, one after the other: first what is read, then films, and last the checksums of all.
 *
 * @throws BundleError before the first one when a delivered file is not in the archive, and as a file is read when it
 * is not what was delivered.
 */
export async function* bundleEntries(content: BundleContent): AsyncGenerator<BundleEntry, void, undefined> {
  const { movies, table, files } = content;
  const placed = movies.flatMap((movie) => Object.values(movie.files));
  await requireAll(placed, files);
  const sums = new Checksums();
  for (const [name, html] of await pagesOf(content)) yield sums.text(name, html);
  const rows = [table.columns.map(({ name }) => name), ...table.rows];
  // A spreadsheet takes a file without the mark for its own country's encoding.
  yield sums.text('results.csv', byteOrderMark + rows.map(csvRow).join(''));
  yield sums.text('results.xlsx', await tableWorkbook(table));
  for (const { from, to, sha256 } of placed) yield sums.file(to, () => files.open(from), sha256);
  yield textEntry(checksumsName, sums.toString());
}

const maxConcurrentLooks = 8;
const namedFiles = 10;

async function requireAll(placed: readonly PlacedFile[], files: DeliveredFiles): Promise<void> {
  const faults = await pLimit(maxConcurrentLooks).map(placed, async ({ from, sizeBytes }) => {
    const found = await files.stat(from);
    if (found === null) return `${from} is missing`;
    return found.sizeBytes === sizeBytes ? null : `${from} has ${found.sizeBytes} bytes, delivered ${sizeBytes}`;
  });
  const found = faults.filter((fault) => fault !== null);
  if (found.length === 0) return;
  const more = found.length > namedFiles ? `, and ${found.length - namedFiles} more` : '';
  throw new BundleError(
    `Cannot bundle: the archive lacks delivered files: ${found.slice(0, namedFiles).join(', ')}${more}`,
  );
}

async function pagesOf(content: BundleContent): Promise<readonly (readonly [string, string])[]> {
  const films = content.movies.filter(({ number }) => number !== null);
  const pages = Math.max(1, Math.ceil(films.length / cardsPerPage));
  const { title, note, summary } = content;
  const files = [
    { path: 'results.xlsx', words: 'Results (XLSX)' },
    { path: 'results.csv', words: 'Results (CSV)' },
  ];
  const written: (readonly [string, string])[] = [];
  for (let page = 1; page <= pages; page += 1) {
    const cards: GalleryCard[] = [];
    for (const movie of films.slice((page - 1) * cardsPerPage, page * cardsPerPage)) {
      cards.push(await cardOf(movie, content.files));
    }
    written.push([galleryFileName(page), galleryHtml({ title, note, summary, files, page, pages }, cards)]);
  }
  return written;
}

async function cardOf({ number, movie, files }: PlacedMovie, archive: DeliveredFiles): Promise<GalleryCard> {
  const pathOf = (file: PlacedFile | undefined) => file?.to ?? null;
  return movieCard(movie, {
    ...{ number: number ?? 0, video: pathOf(files.film), poster: pathOf(files.poster), storyboard: null },
    captions: await captionsOf(files.captions, archive),
  });
}

/** Longer ones would make the page heavy; they stay a file. */
const maxInlineBytes = 64 * 1024;

async function captionsOf(file: PlacedFile | undefined, archive: DeliveredFiles): Promise<CardCaptions | null> {
  if (!file) return null;
  if (file.sizeBytes > maxInlineBytes) return { path: file.to };
  return { text: await text(await archive.open(file.from)) };
}
