import { type Sound, sampleRate } from './encoder.js';
import type { MediaSource, SoundOptions, Still, StillOptions } from './media-tool.js';
import { check } from './node-av-check.js';
import * as av from './node-av.js';

/** A file opened as the format it was found to be, and as nothing else. */
class OpenMedia {
  readonly input = new av.FormatContext();
  readonly #packet = new av.Packet();
  readonly #frame = new av.Frame();
  #decoder: av.CodecContext | undefined;
  #stream: av.Stream | undefined;

  static async open({ path, demuxer }: MediaSource, type: av.AVMediaType): Promise<OpenMedia> {
    av.Log.setLevel(av.AV_LOG_FATAL);
    const media = new OpenMedia();
    const format = av.InputFormat.findInputFormat(demuxer);
    if (!format) throw new Error(`Cannot read the reference: this FFmpeg has no reader for "${demuxer}"`);
    const guard = av.Dictionary.fromObject({ protocol_whitelist: 'file', format_whitelist: format.name ?? demuxer });
    check(await media.input.openInput(path, format, guard), 'read the reference');
    check(await media.input.findStreamInfo(), 'read the reference');
    await media.#openDecoder(type);
    return media;
  }

  get stream(): av.Stream {
    if (!this.#stream) throw new Error('Cannot read the reference: it is not open');
    return this.#stream;
  }

  async #openDecoder(type: av.AVMediaType): Promise<void> {
    const index = this.input.findBestStream(type);
    this.#stream = this.input.streams[index];
    if (index < 0 || !this.#stream) throw new Error('Cannot read the reference: it has no such track');
    const codec = av.Codec.findDecoder(this.#stream.codecpar.codecId);
    if (!codec) throw new Error('Cannot read the reference: its codec is unknown here');
    this.#decoder = new av.CodecContext();
    this.#decoder.allocContext3(codec);
    check(this.#decoder.parametersToContext(this.#stream.codecpar), 'read the reference');
    this.#decoder.threadCount = 2;
    check(await this.#decoder.open2(codec), 'read the reference');
    this.#packet.alloc();
    this.#frame.alloc();
  }

  /** Goes to the last keyframe at or before the moment. */
  async seek(seconds: number): Promise<void> {
    const { num, den } = this.stream.timeBase;
    const start = this.stream.startTime > 0n ? this.stream.startTime : 0n;
    const target = start + BigInt(Math.round((seconds * den) / num));
    check(await this.input.seekFrame(this.stream.index, target, av.AVSEEK_FLAG_BACKWARD), 'find the moment');
    this.#decoder?.flushBuffers();
  }

  /** Decodes from there; a frame is valid only until the next one. Damage ends the file rather than the film. */
  async *frames(): AsyncGenerator<av.Frame> {
    const decoder = this.#decoder;
    if (!decoder) return;
    for (let ended = false; !ended;) {
      ended = (await this.input.readFrame(this.#packet)) < 0;
      if (!ended && this.#packet.streamIndex !== this.stream.index) {
        this.#packet.unref();
        continue;
      }
      await decoder.sendPacket(ended ? null : this.#packet);
      if (!ended) this.#packet.unref();
      while ((await decoder.receiveFrame(this.#frame)) >= 0) {
        yield this.#frame;
        this.#frame.unref();
      }
    }
  }

  secondsOf(frame: av.Frame): number {
    const { num, den } = this.stream.timeBase;
    const start = this.stream.startTime > 0n ? this.stream.startTime : 0n;
    return (Number(frame.bestEffortTimestamp - start) * num) / den;
  }

  async close(): Promise<void> {
    this.#frame.free();
    this.#packet.free();
    this.#decoder?.freeContext();
    await this.input.closeInput();
  }
}

/** A damaged film may have no frame for many seconds: this many are tried for one moment. */
const maxFramesPerStill = 600;

export async function readStills(
  source: MediaSource,
  { moments, largestSide, onStep }: StillOptions,
): Promise<readonly Still[]> {
  const media = await OpenMedia.open(source, av.AVMEDIA_TYPE_VIDEO);
  try {
    const stills: Still[] = [];
    for (const moment of moments) {
      await media.seek(moment);
      let looked = 0;
      for await (const frame of media.frames()) {
        looked++;
        if (media.secondsOf(frame) + 1e-3 < moment && looked < maxFramesPerStill) continue;
        stills.push(await toRgba(frame, largestSide));
        break;
      }
      onStep?.();
    }
    return stills;
  } finally {
    await media.close();
  }
}

async function toRgba(frame: av.Frame, largestSide: number): Promise<Still> {
  const { num, den } = frame.sampleAspectRatio;
  const stretch = num > 0 && den > 0 ? num / den : 1;
  const scale = Math.min(1, largestSide / Math.max(frame.width * stretch, frame.height));
  const width = Math.max(2, Math.round(frame.width * stretch * scale));
  const height = Math.max(2, Math.round(frame.height * scale));
  // Untagged films follow the custom of their size.
  if (frame.colorSpace === av.AVCOL_SPC_UNSPECIFIED) {
    frame.colorSpace = frame.height >= 720 ? av.AVCOL_SPC_BT709 : av.AVCOL_SPC_SMPTE170M;
  }
  const scaler = new av.SoftwareScaleContext();
  scaler.allocContext();
  const target = new av.Frame();
  target.alloc();
  target.width = width;
  target.height = height;
  target.format = av.AV_PIX_FMT_RGBA;
  target.colorSpace = av.AVCOL_SPC_RGB;
  target.colorRange = av.AVCOL_RANGE_JPEG;
  check(target.getBuffer(), 'take memory for a still');
  try {
    check(await scaler.scaleFrame(target, frame), 'convert a still');
    return { width, height, rgba: new Uint8ClampedArray(target.toBuffer()) };
  } finally {
    target.free();
    scaler.freeContext();
  }
}

export async function readSound(source: MediaSource, { maxSeconds, onStep }: SoundOptions): Promise<Sound> {
  const media = await OpenMedia.open(source, av.AVMEDIA_TYPE_AUDIO);
  const collected = new SoundCollector(maxSeconds);
  try {
    for await (const frame of media.frames()) {
      collected.add(frame);
      if (collected.full) break;
      onStep?.();
    }
    return collected.finish();
  } finally {
    collected.free();
    await media.close();
  }
}

/** Resamples frame by frame into two planes. */
class SoundCollector {
  readonly #left: Float32Array;
  readonly #right: Float32Array;
  #length = 0;
  #resampler: av.SoftwareResampleContext | undefined;

  constructor(maxSeconds: number) {
    const samples = Math.ceil(maxSeconds * sampleRate);
    this.#left = new Float32Array(samples);
    this.#right = new Float32Array(samples);
  }

  get full(): boolean {
    return this.#length >= this.#left.length;
  }

  add(frame: av.Frame | null): void {
    if (frame) {
      nameChannels(frame);
      this.#resampler ??= resamplerFor(frame);
    }
    if (!this.#resampler) return;
    const target = new av.Frame();
    target.alloc();
    target.format = av.AV_SAMPLE_FMT_FLTP;
    target.sampleRate = sampleRate;
    target.channelLayout = av.AV_CHANNEL_LAYOUT_STEREO;
    check(this.#resampler.convertFrame(target, frame), 'convert the sound');
    const [left, right] = target.extendedData ?? [];
    if (left && right) this.#append(planeOf(left, target.nbSamples), planeOf(right, target.nbSamples));
    target.free();
  }

  #append(left: Float32Array, right: Float32Array): void {
    const room = this.#left.length - this.#length;
    this.#left.set(left.subarray(0, room), this.#length);
    this.#right.set(right.subarray(0, room), this.#length);
    this.#length = Math.min(this.#left.length, this.#length + left.length);
  }

  finish(): Sound {
    if (!this.full) this.add(null);
    return { left: this.#left.subarray(0, this.#length), right: this.#right.subarray(0, this.#length) };
  }

  free(): void {
    this.#resampler?.free();
  }
}

/** Some files count their channels without saying where they belong; FFmpeg then takes each frame for another format. */
function nameChannels(frame: av.Frame): void {
  if (frame.channelLayout.order !== av.AV_CHANNEL_ORDER_UNSPEC) return;
  const layout = usualLayouts.get(frame.channels);
  if (!layout) throw new Error(`the sound has ${frame.channels} channels in an unknown layout`);
  frame.channelLayout = layout;
}

const usualLayouts = new Map([
  [1, av.AV_CHANNEL_LAYOUT_MONO],
  [2, av.AV_CHANNEL_LAYOUT_STEREO],
  [3, av.AV_CHANNEL_LAYOUT_SURROUND],
  [4, av.AV_CHANNEL_LAYOUT_QUAD],
  [5, av.AV_CHANNEL_LAYOUT_5POINT0],
  [6, av.AV_CHANNEL_LAYOUT_5POINT1],
  [8, av.AV_CHANNEL_LAYOUT_7POINT1],
]);

function resamplerFor(frame: av.Frame): av.SoftwareResampleContext {
  const resampler = new av.SoftwareResampleContext();
  const format = frame.format as av.AVSampleFormat; // a sound frame's format
  check(
    resampler.allocSetOpts2(
      av.AV_CHANNEL_LAYOUT_STEREO,
      av.AV_SAMPLE_FMT_FLTP,
      sampleRate,
      frame.channelLayout,
      format,
      frame.sampleRate,
    ),
    'convert the sound',
  );
  check(resampler.init(), 'convert the sound');
  return resampler;
}

/** Copies: the frame's memory is given back. */
function planeOf(bytes: Buffer, samples: number): Float32Array {
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + samples * 4));
}
