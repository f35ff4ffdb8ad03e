import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Asset } from '../api/contract.js';
import { newId } from './ids.js';
import type { RenderedFile } from './render/render.js';
import type { Store } from './store.js';

/** A file of a film, measured once; several movies may show the same one. */
export interface FilmFile extends RenderedFile {
  readonly sizeBytes: number;
  readonly sha256: string;
}

export interface AssetRecord extends FilmFile {
  readonly id: string;
  readonly movieId: string;
  readonly createdMs: number;
}

export interface Assets {
  /** Assigns ids to the files, unless the movie already has assets. */
  insert(movieId: string, files: readonly FilmFile[], createdMs: number): readonly AssetRecord[];
  /** In the order of the interface: final video, poster, storyboard, captions. */
  ofMovie(movieId: string): readonly AssetRecord[];
  find(id: string): AssetRecord | null;
  /** Removes films that no asset names. */
  sweep(): Promise<void>;
}

interface AssetRow {
  readonly id: string;
  readonly movieId: string;
  readonly type: RenderedFile['type'];
  readonly file: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationSeconds: number | null;
  readonly createdMs: number;
}

const columns = `id, movie_id AS movieId, type, file, mime_type AS mimeType, size_bytes AS sizeBytes, sha256, width, height,
  duration_seconds AS durationSeconds, created_ms AS createdMs`;

const order: readonly RenderedFile['type'][] = ['final_video', 'poster', 'storyboard', 'captions'];

export function createAssets({ db, filmsFolder }: Store): Assets {
  const insert = db.prepare('INSERT INTO assets VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const ofMovie = db.prepare<[string], AssetRow>(`SELECT ${columns} FROM assets WHERE movie_id = ? ORDER BY position`);
  const find = db.prepare<[string], AssetRow>(`SELECT ${columns} FROM assets WHERE id = ?`);
  const inUse = db.prepare('SELECT 1 FROM assets WHERE file >= ? AND file < ? LIMIT 1');
  const recordOf = ({ file, ...row }: AssetRow): AssetRecord => ({ ...row, path: join(filmsFolder, file) });
  const listed = (movieId: string) => ofMovie.all(movieId).map(recordOf);
  return {
    insert(movieId, files, createdMs) {
      const before = listed(movieId);
      if (before.length > 0) return before;
      for (const each of files) {
        const { type, path, mimeType, sizeBytes, sha256, width, height, durationSeconds } = each;
        const file = relative(filmsFolder, path);
        const media = [mimeType, sizeBytes, sha256, width, height, durationSeconds];
        insert.run(newId('asset'), movieId, order.indexOf(type), type, file, ...media, createdMs);
      }
      return listed(movieId);
    },
    ofMovie: listed,
    find(id) {
      const row = find.get(id);
      return row ? recordOf(row) : null;
    },
    async sweep() {
      const orphans = (await readdir(filmsFolder)).filter((name) => !inUse.get(`${name}/`, `${name}0`));
      await Promise.all(orphans.map((name) => rm(join(filmsFolder, name), { recursive: true, force: true })));
    },
  };
}

export async function measure(file: RenderedFile): Promise<FilmFile> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file.path), hash);
  return { ...file, sizeBytes: (await stat(file.path)).size, sha256: hash.digest('hex') };
}

export function assetBody(asset: AssetRecord, url: string): Asset {
  const { id, type, mimeType, width, height, durationSeconds, createdMs } = asset;
  return {
    id,
    type,
    url,
    created_at: new Date(createdMs).toISOString(),
    mime_type: mimeType,
    ...(width !== null && { width }),
    ...(height !== null && { height }),
    ...(durationSeconds !== null && { duration_seconds: durationSeconds }),
  };
}
