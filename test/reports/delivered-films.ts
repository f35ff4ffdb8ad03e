import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { recordDelivered } from '../../ledger/progress/deliveries.js';
import type { DeliveredFiles } from '../../reports/bundle/bundle-entry.js';
import type { Scene } from '../ledger/scene.js';

/** An archive in memory, and rows that were delivered into it. */
export interface DeliveredFilms extends DeliveredFiles {
  readonly files: Map<string, Buffer>;
  deliver(
    batchId: string,
    rowKey: string,
    options?: { readonly content?: string; readonly verdict?: string },
  ): Promise<void>;
}

export function deliveredFilms(scene: Scene): DeliveredFilms {
  const files = new Map<string, Buffer>();
  return {
    files,
    stat: async (path) => {
      const bytes = files.get(path);
      return bytes ? { sizeBytes: bytes.length } : null;
    },
    open: async (path) => Readable.from([files.get(path) ?? Buffer.alloc(0)]),
    async deliver(batchId, rowKey, { content = `film of ${batchId} ${rowKey}`, verdict = 'as ordered' } = {}) {
      await scene.order(batchId, rowKey);
      await scene.look(batchId, rowKey, 'completed');
      const parts = [
        { type: 'final_video', name: 'final.mp4', bytes: Buffer.from(content) },
        { type: 'poster', name: 'poster.JPG', bytes: Buffer.from(`poster of ${rowKey}`) },
        { type: 'captions', name: 'captions.vtt', bytes: Buffer.from('WEBVTT\n\n00:00.000 --> 00:01.000\nFrühling') },
        { type: 'storyboard', name: 'storyboard.jpg', bytes: Buffer.from('pictures') },
      ];
      const recorded = parts.map(({ type, name, bytes }) => {
        const path = `${batchId}/${rowKey}/${name}`;
        files.set(path, bytes);
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        return { assetId: `asset_${rowKey}_${type}`, type, path, sizeBytes: bytes.length, sha256 };
      });
      await recordDelivered(scene.ledger, { batchId, rowKey, files: recorded, verdict, nowMs: scene.nowMs });
    },
  };
}
