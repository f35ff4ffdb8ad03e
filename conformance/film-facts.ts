import type { InputTrack } from 'mediabunny';

/** What a film says about itself. */
export interface FilmFacts {
  /** As shown: after rotation, in square pixels. */
  readonly width: number;
  readonly height: number;
  readonly durationSeconds: number;
}

/** Opens a film and reads every piece of its pictures and sound; decodes nothing. Null when its end is missing. */
export async function filmFactsOf(bytes: Uint8Array): Promise<FilmFacts | null> {
  const { ALL_FORMATS, BufferSource, Input } = await import('mediabunny');
  const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });
  try {
    const video = await input.getPrimaryVideoTrack();
    if (!video) return null;
    for (const track of await input.getTracks()) if (!(await hasItsEnd(track))) return null;
    const [width, height] = [await video.getDisplayWidth(), await video.getDisplayHeight()];
    return { width, height, durationSeconds: await video.computeDuration() };
  } catch {
    // The reader throws plain errors for whatever it does not understand.
    return null;
  } finally {
    input.dispose();
  }
}

/** What the header of a file promises may have been cut off. */
async function hasItsEnd(track: InputTrack): Promise<boolean> {
  const { EncodedPacketSink } = await import('mediabunny');
  let endSeconds = 0;
  for await (const { data, timestamp, duration } of new EncodedPacketSink(track).packets()) {
    if (data.byteLength === 0) return false;
    endSeconds = Math.max(endSeconds, timestamp + duration);
  }
  return (await track.computeDuration()) - endSeconds < 0.5;
}
