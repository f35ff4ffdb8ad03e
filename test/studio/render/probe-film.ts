import { ALL_FORMATS, FilePathSource, Input } from 'mediabunny';

export interface FilmFacts {
  readonly width: number;
  readonly height: number;
  readonly videoCodec: string | null;
  readonly audioCodec: string | null;
  readonly channels: number;
  readonly sampleRate: number;
  readonly durationSeconds: number;
  readonly videoSeconds: number;
  readonly audioSeconds: number;
  readonly frames: number;
  readonly colour: {
    readonly primaries?: string;
    readonly transfer?: string;
    readonly matrix?: string;
    readonly fullRange?: boolean;
  };
  readonly tags: Readonly<Record<string, unknown>>;
}

/** What a finished film says of itself, read by a library that had no part in making it. */
export async function probeFilm(path: string): Promise<FilmFacts> {
  const input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS });
  try {
    const video = await input.getPrimaryVideoTrack();
    const audio = await input.getPrimaryAudioTrack();
    if (!video || !audio) throw new Error(`Cannot probe ${path}: a picture and a sound track are expected`);
    const { packetCount } = await video.computePacketStats();
    return {
      width: video.displayWidth,
      height: video.displayHeight,
      videoCodec: video.codec,
      audioCodec: audio.codec,
      channels: audio.numberOfChannels,
      sampleRate: audio.sampleRate,
      durationSeconds: await input.computeDuration(),
      videoSeconds: await video.computeDuration(),
      audioSeconds: await audio.computeDuration(),
      frames: packetCount,
      colour: { ...(await video.getColorSpace()) } as FilmFacts['colour'],
      tags: { ...(await input.getMetadataTags()) },
    };
  } finally {
    input.dispose();
  }
}
