import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Encoder, EncoderOptions, Sound } from './encoder.js';

/** What encodes films and decodes references: FFmpeg in one form or another. */
export interface MediaTool {
  openEncoder(options: EncoderOptions): Promise<Encoder>;
  /** Whether its stills are already the right way up; otherwise they are as stored. */
  readonly turnsStills: boolean;
  /** Stills of a film at these moments (seconds); fewer where it cannot be read that far. */
  readStills(source: MediaSource, options: StillOptions): Promise<readonly Still[]>;
  /** The sound from its beginning, up to a length, as stereo at the film's sample rate. */
  readSound(source: MediaSource, options: SoundOptions): Promise<Sound>;
}

export interface MediaSource {
  readonly path: string;
  /** FFmpeg's name of the container: always given, since its own guess may open other files. */
  readonly demuxer: string;
}

export interface StillOptions {
  readonly moments: readonly number[];
  readonly largestSide: number;
  /** Called after each step that took time. */
  readonly onStep?: () => void;
}

export interface SoundOptions {
  readonly maxSeconds: number;
  readonly onStep?: () => void;
}

export interface Still {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8ClampedArray;
}

/**
 * node-av where it is installed (an optional dependency), else an `ffmpeg` on PATH.
 *
 * @throws {Error} when there is neither
 */
export async function loadMediaTool(): Promise<MediaTool> {
  try {
    const { nodeAvTool } = await import('./node-av-tool.js');
    return nodeAvTool;
  } catch (cause) {
    const command = await findOnPath('ffmpeg');
    if (command) return (await import('./command-line-tool.js')).commandLineTool(command);
    throw new Error(
      'Cannot render: the optional package node-av does not load here and no ffmpeg is on PATH; install either of them',
      { cause },
    );
  }
}

export async function findOnPath(name: string): Promise<string | null> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (folder !== '' && found) return path;
  }
  return null;
}
