import { ALL_FORMATS, FilePathSource, Input } from 'mediabunny';
import type { ReferenceContent } from './probe-reference.js';

const maximumSeconds = 4 * 3_600;

/** Size and length of a film or a sound, from its container. */
export async function probeMedia(path: string, mimeType: string): Promise<ReferenceContent> {
  const input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS });
  try {
    const video = await input.getPrimaryVideoTrack();
    const audio = await input.getPrimaryAudioTrack();
    if (!video && !audio) throw new Error(`the file is damaged: it has neither picture nor sound`);
    const durationSeconds = await input.computeDuration();
    if (!(durationSeconds > 0)) throw new Error('the file is damaged: it has no length');
    if (durationSeconds > maximumSeconds)
      throw new Error(`it is ${Math.round(durationSeconds)} s long; at most ${maximumSeconds} s are allowed`);
    return {
      mimeType: video
        ? mimeType
        : mimeType.replace(/^video\/(?:quicktime|x-m4v)$/, 'audio/mp4').replace(/^video\//, 'audio/'),
      kind: video ? 'video' : 'audio',
      width: video?.displayWidth ?? null,
      height: video?.displayHeight ?? null,
      durationSeconds,
    };
  } finally {
    input.dispose();
  }
}
