import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';

export interface FilmOptions {
  readonly width?: number;
  readonly height?: number;
  readonly durationSeconds?: number;
  /** Bytes of each picture: makes the file longer. */
  readonly pictureBytes?: number;
  readonly rotation?: 0 | 90 | 180 | 270;
  readonly audioSeconds?: number;
}

/** An MP4 that says what it should of itself; its pictures are noise, since nothing here decodes them. */
export async function film(options: FilmOptions = {}): Promise<Buffer> {
  const { width = 320, height = 180, durationSeconds = 5, pictureBytes = 64, rotation = 0, audioSeconds } = options;
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  const video = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(video, { rotation });
  const audio = audioSeconds === undefined ? null : new EncodedAudioPacketSource('aac');
  if (audio) output.addAudioTrack(audio);
  await output.start();
  const frames = Math.round(durationSeconds * 10);
  // Level 1.1, baseline; one made-up parameter set of each kind.
  const description = new Uint8Array([1, 66, 0, 11, 255, 225, 0, 4, 103, 66, 0, 11, 1, 0, 4, 104, 206, 56, 128]);
  const decoderConfig = { codec: 'avc1.42000b', codedWidth: width, codedHeight: height, description };
  for (let frame = 0; frame < frames; frame += 1) {
    const data = new Uint8Array(pictureBytes).map((_, index) => (index * 31 + frame) % 251);
    const packet = new EncodedPacket(data, frame === 0 ? 'key' : 'delta', frame / 10, durationSeconds / frames);
    await video.add(packet, frame === 0 ? { decoderConfig } : undefined);
  }
  if (audio && audioSeconds !== undefined) {
    const decoderConfig = {
      codec: 'mp4a.40.2',
      sampleRate: 48_000,
      numberOfChannels: 2,
      description: new Uint8Array([17, 144]),
    };
    for (let at = 0; at < audioSeconds; at += 0.1) {
      await audio.add(
        new EncodedPacket(new Uint8Array(16).fill(1), 'key', at, 0.1),
        at === 0 ? { decoderConfig } : undefined,
      );
    }
  }
  await output.finalize();
  return Buffer.from(target.buffer ?? new ArrayBuffer(0));
}
