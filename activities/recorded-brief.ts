import { basename } from 'node:path';
import { type Brief, briefFields, type ReferenceSource } from '../domain/brief.js';

/**
 * What was ordered, as a movie's record keeps it: whoever gets the folder may read it, so it names no folder of the
 * machine that submitted, and no password or signature of an address.
 */
export function recordedBrief(brief: Brief): Readonly<Record<string, unknown>> {
  return {
    ...briefFields(brief),
    references: brief.references.map(({ source, role, description }) => ({ ...named(source), role, description })),
  };
}

function named(source: ReferenceSource): Readonly<Record<string, unknown>> {
  switch (source.kind) {
    case 'file':
      return { file: basename(source.path), sha256: source.sha256, size_bytes: source.sizeBytes };
    case 'url': {
      const { origin, pathname } = new URL(source.url);
      return { url: `${origin}${pathname}`, sha256: source.sha256 };
    }
    case 'id':
      return { reference_id: source.referenceId };
  }
}
