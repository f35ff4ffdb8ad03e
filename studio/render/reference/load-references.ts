import type { FrameSize } from '../frame-size.js';
import type { PaletteRecipe } from '../look/palette.js';
import type { Sound } from '../media/encoder.js';
import type { MediaTool } from '../media/media-tool.js';
import type { CastMember } from '../plan/casting.js';
import type { FilmReference } from '../render.js';
import { formatOf } from './formats.js';
import { loadFilmPicture, loadImagePicture } from './load-picture.js';
import { coloursOf } from './picture-colours.js';
import type { Picture } from './picture.js';
import { readDocument } from './read-document.js';

/** What the references give to the film. Maps are keyed by the reference's place in the spec. */
export interface LoadedReferences {
  readonly members: readonly CastMember[];
  readonly pictures: ReadonlyMap<number, Picture>;
  readonly documents: ReadonlyMap<number, string>;
  /** Of the first style reference that can be seen. */
  readonly colours: PaletteRecipe | null;
  /** Text of style references. */
  readonly styleWords: string;
  readonly sounds: readonly Sound[];
}

export interface LoadOptions {
  readonly tool: MediaTool;
  readonly size: FrameSize;
  readonly durationSeconds: number;
  readonly onStep: () => void;
}

type Numbered = CastMember & { readonly reference: FilmReference };

/** @throws {Error} naming the damaged reference */
export async function loadReferences(
  references: readonly FilmReference[],
  options: LoadOptions,
): Promise<LoadedReferences> {
  const numbered = references.map((reference, index): Numbered => {
    const { role, description, mimeType } = reference;
    const kind = formatOf(mimeType)?.kind;
    if (!kind) throw new Error(`Cannot use reference ${index + 1}: films are not made from ${mimeType}`);
    return { index, role, kind, description, reference };
  });
  const pictures = new Map<number, Picture>();
  const documents = new Map<number, string>();
  const sounds: Sound[] = [];
  for (const one of numbered) {
    await naming(one, async () => {
      const sound = soundOf(one, numbered) ? await loadSound(one, options) : null;
      if (sound) sounds.push(sound);
      else if (one.kind === 'document')
        documents.set(one.index, await readDocument(one.reference.path, one.reference.mimeType));
      else if (one.kind !== 'audio') pictures.set(one.index, await loadPicture(one, options));
    });
    options.onStep();
  }
  const styles = numbered.filter(({ role }) => role === 'style');
  const still = styles.map(({ index }) => pictures.get(index)?.stills[0]).find((one) => one !== undefined);
  return {
    members: numbered.map(({ index, role, kind, description }) => ({ index, role, kind, description })),
    pictures,
    documents,
    colours: still ? coloursOf(still) : null,
    styleWords: styles.map(({ index, description }) => `${description ?? ''} ${documents.get(index) ?? ''}`).join(' '),
    sounds,
  };
}

/** The track is the reference given as one; without one, any sound. */
function soundOf({ role, kind }: Numbered, all: readonly Numbered[]): boolean {
  if (role === 'audio') return kind === 'audio' || kind === 'video';
  return kind === 'audio' && !all.some((other) => other.role === 'audio');
}

function loadPicture({ kind, role, reference }: Numbered, { tool, size, onStep }: LoadOptions): Promise<Picture> {
  const largestSide = Math.ceil(Math.max(size.width, size.height) * (role === 'location' ? 1.6 : 0.8));
  if (kind === 'image') return loadImagePicture(reference.path, { largestSide, onStep });
  const { demuxer = '' } = formatOf(reference.mimeType) ?? {};
  return loadFilmPicture({ path: reference.path, demuxer }, { tool, largestSide, onStep });
}

async function loadSound({ reference }: Numbered, { tool, durationSeconds, onStep }: LoadOptions): Promise<Sound> {
  const { demuxer = '' } = formatOf(reference.mimeType) ?? {};
  const sound = await tool.readSound({ path: reference.path, demuxer }, { maxSeconds: durationSeconds, onStep });
  if (sound.left.length === 0) throw new Error('it has no sound that can be read');
  return sound;
}

async function naming({ index, role, reference }: Numbered, load: () => Promise<void>): Promise<void> {
  try {
    await load();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Cannot use reference ${index + 1} (${role}, ${reference.mimeType}): ${reason}`, { cause });
  }
}
