/** Takes finished frames and sound, and leaves an MP4: H.264 and AAC, BT.709, with the index in front. */
export interface Encoder {
  /** One frame, `width * height * 4` bytes of RGBA. Resolves when the encoder has room for the next. */
  frame(rgba: Uint8Array): Promise<void>;
  /** Writes what is still buffered. The file is complete when this resolves. */
  finish(): Promise<void>;
}

export interface EncoderOptions {
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
  /** Whole sound track, as long as the film: two planes at `sampleRate`. */
  readonly sound: Sound;
  /** x264's words: `veryfast` for films, `ultrafast` for drafts. */
  readonly speed: 'veryfast' | 'ultrafast';
  /** x264's constant rate factor: 18 is near lossless, 30 is coarse. */
  readonly rateFactor: number;
  /** Bits a second of AAC, both channels together. */
  readonly soundBitRate: number;
  /** Written into the container, where players show it. */
  readonly tags: Readonly<Record<string, string>>;
}

/** Stereo samples in -1..1. */
export interface Sound {
  readonly left: Float32Array;
  readonly right: Float32Array;
}

export const sampleRate = 48_000;
