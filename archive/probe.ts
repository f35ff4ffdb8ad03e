import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { ALL_FORMATS, BufferSource, CustomSource, EncodedPacketSink, Input, type InputTrack } from 'mediabunny';
import { onDisk, StorageError } from './errors.js';

/** What a movie file says about itself. Width and height are as shown: after rotation, in square pixels. */
export interface ProbedMovie {
  /** E.g. "MP4", "WebM". */
  readonly container: string;
  /** Null when the codec is not known here. */
  readonly videoCodec: string | null;
  readonly audioCodec: string | null;
  readonly width: number;
  readonly height: number;
  /** From the first picture or sound to the end of the last. */
  readonly durationSeconds: number;
}

/**
 * Reads a movie's headers and the last piece of every track; decodes nothing.
 *
 * @returns null when it cannot be read as a movie: another kind of file, no picture, or an end that is missing.
 * @throws StorageError when the file itself cannot be read.
 */
export async function probeMovie(source: string | Uint8Array): Promise<ProbedMovie | null> {
  const input = new Input({
    source: typeof source === 'string' ? localFile(source) : new BufferSource(source),
    formats: ALL_FORMATS,
  });
  try {
    return await onDisk('read the movie', () => measure(input));
  } catch (error) {
    if (error instanceof StorageError) throw error;
    // The reader throws plain errors for whatever it does not understand; which one does not matter.
    return null;
  } finally {
    input.dispose();
  }
}

/**
 * A file by itself. The library's own source of files also opens whatever a playlist in the file names, and a read
 * through the pool costs more than the few reads that headers take.
 */
function localFile(path: string): CustomSource {
  let file: number | null = null;
  return new CustomSource({
    getSize() {
      file ??= openSync(path, 'r');
      return fstatSync(file).size;
    },
    read(start, end) {
      if (file === null) throw new Error('Cannot read a movie before its size was asked for');
      const bytes = new Uint8Array(end - start);
      return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start));
    },
    dispose() {
      if (file !== null) closeSync(file);
      file = null;
    },
    prefetchProfile: 'fileSystem',
  });
}

async function measure(input: Input): Promise<ProbedMovie | null> {
  const video = await input.getPrimaryVideoTrack();
  if (!video) return null;
  const tracks = await input.getTracks();
  for (const track of tracks) if (!(await hasItsEnd(track))) return null;
  const audio = await input.getPrimaryAudioTrack();
  const [start, end] = [await input.getFirstTimestamp(), await input.computeDuration()];
  return {
    container: (await input.getFormat()).name,
    videoCodec: await video.getCodec(),
    audioCodec: audio && (await audio.getCodec()),
    width: await video.getDisplayWidth(),
    height: await video.getDisplayHeight(),
    durationSeconds: end - Math.max(start, 0),
  };
}

/** A table at the front of a file may list pieces that were cut off. */
async function hasItsEnd(track: InputTrack): Promise<boolean> {
  const last = await new EncodedPacketSink(track).getPacket(Number.POSITIVE_INFINITY);
  return last !== null && last.data.byteLength > 0;
}
