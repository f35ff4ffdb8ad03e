import type { Encoder, EncoderOptions } from './encoder.js';

/** By node-av where it is installed (an optional dependency), else by an `ffmpeg` on PATH. */
export async function openEncoder(options: EncoderOptions): Promise<Encoder> {
  const { openNodeAvEncoder } = await import('./node-av-encoder.js');
  return openNodeAvEncoder(options);
}
