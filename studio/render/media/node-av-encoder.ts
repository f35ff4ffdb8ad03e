import { type Encoder, type EncoderOptions, sampleRate } from './encoder.js';
import { check } from './node-av-check.js';
import * as av from './node-av.js';

/** x264 gives the same bytes only for the same number of threads, so the machine's own count must not decide. */
const encoderThreads = 2;
const keyframeSeconds = 2;

/** FFmpeg inside the process, by node-av's low-level classes: its streams need a newer Node than ours. */
export async function openNodeAvEncoder(options: EncoderOptions): Promise<Encoder> {
  av.Log.setLevel(av.AV_LOG_ERROR);
  const output = new av.FormatContext();
  check(output.allocOutputContext2(null, 'mp4', options.path), 'describe the file');
  output.setFlags(av.AVFMT_FLAG_BITEXACT);
  output.metadata = av.Dictionary.fromObject(options.tags);
  const picture = await openPicture(output, options);
  const sound = await openSound(output, options);
  check(await output.openOutput(), 'open the file');
  check(await output.writeHeader(av.Dictionary.fromObject({ movflags: '+faststart' })), 'write the header');

  return {
    async frame(rgba) {
      const pictureEndSeconds = await picture.add(rgba);
      sound.addUntil(pictureEndSeconds);
    },
    async finish() {
      await picture.flush();
      sound.flush();
      check(await output.writeTrailer(), 'write the trailer');
      await output.closeOutput();
      for (const part of [picture, sound]) part.free();
      output.freeContext();
    },
  };
}

async function openPicture(output: av.FormatContext, options: EncoderOptions) {
  const { width, height, framesPerSecond } = options;
  const codec = av.Codec.findEncoderByName(av.FF_ENCODER_LIBX264);
  if (!codec) throw new Error('Cannot encode the picture: this FFmpeg has no libx264');
  const context = new av.CodecContext();
  context.allocContext3(codec);
  context.width = width;
  context.height = height;
  context.pixelFormat = av.AV_PIX_FMT_YUV420P;
  context.timeBase = new av.Rational(1, framesPerSecond);
  context.framerate = new av.Rational(framesPerSecond, 1);
  context.sampleAspectRatio = new av.Rational(1, 1);
  context.gopSize = framesPerSecond * keyframeSeconds;
  context.threadCount = encoderThreads;
  tagBt709(context);
  context.setFlags(av.AV_CODEC_FLAG_GLOBAL_HEADER, av.AV_CODEC_FLAG_BITEXACT);
  const settings = av.Dictionary.fromObject({ preset: options.speed, crf: options.rateFactor });
  check(await context.open2(codec, settings), 'open the picture encoder');
  const stream = addStream(output, context, codec);
  const converter = new ColourConverter(width, height);
  const packets = new PacketWriter(output, { context, stream });
  let count = 0n;

  return {
    /** Returns where the picture ends now, in seconds. */
    async add(rgba: Uint8Array): Promise<number> {
      const frame = await converter.convert(rgba);
      frame.pts = count++;
      await packets.encode(frame);
      return Number(count) / framesPerSecond;
    },
    flush: () => packets.encode(null),
    free() {
      converter.free();
      context.freeContext();
    },
  };
}

/**
 * RGBA to 4:2:0 by the BT.709 matrix. Without the colour space on both ends FFmpeg converts by BT.601, and players, which
 * take HD for BT.709, show other colours than were drawn.
 */
class ColourConverter {
  readonly #scaler = new av.SoftwareScaleContext();
  readonly #source: av.Frame;
  readonly #target: av.Frame;

  constructor(width: number, height: number) {
    this.#scaler.allocContext();
    this.#source = pictureFrame({ width, height, format: av.AV_PIX_FMT_RGBA });
    this.#source.colorSpace = av.AVCOL_SPC_RGB;
    this.#source.colorRange = av.AVCOL_RANGE_JPEG;
    this.#target = pictureFrame({ width, height, format: av.AV_PIX_FMT_YUV420P });
    tagBt709(this.#target);
  }

  async convert(rgba: Uint8Array): Promise<av.Frame> {
    check(this.#source.fromBuffer(Buffer.from(rgba.buffer, rgba.byteOffset, rgba.byteLength)), 'take the frame');
    check(this.#target.makeWritable(), 'reuse the frame');
    check(await this.#scaler.scaleFrame(this.#target, this.#source), 'convert the colours');
    return this.#target;
  }

  free() {
    this.#source.free();
    this.#target.free();
    this.#scaler.freeContext();
  }
}

async function openSound(output: av.FormatContext, { sound, soundBitRate }: EncoderOptions) {
  const codec = av.Codec.findEncoderByName(av.FF_ENCODER_AAC);
  if (!codec) throw new Error('Cannot encode the sound: this FFmpeg has no AAC encoder');
  const context = new av.CodecContext();
  context.allocContext3(codec);
  context.sampleFormat = av.AV_SAMPLE_FMT_FLTP;
  context.sampleRate = sampleRate;
  context.channelLayout = av.AV_CHANNEL_LAYOUT_STEREO;
  context.bitRate = BigInt(soundBitRate);
  context.timeBase = new av.Rational(1, sampleRate);
  context.threadCount = 1;
  context.setFlags(av.AV_CODEC_FLAG_GLOBAL_HEADER, av.AV_CODEC_FLAG_BITEXACT);
  // The usual search for the best coding takes ten times as long, and at this rate nobody hears it.
  const settings = av.Dictionary.fromObject({ aac_coder: 'fast' });
  check(await context.open2(codec, settings), 'open the sound encoder');
  const stream = addStream(output, context, codec);
  const packets = new PacketWriter(output, { context, stream });
  const blockLength = context.frameSize;
  let position = 0;

  return {
    /** At once: a block takes a tenth of a millisecond, going to another thread and back takes longer. */
    addUntil(seconds: number): void {
      const end = Math.min(sound.left.length, Math.round(seconds * sampleRate));
      while (position < end) {
        const block = soundFrame(sound, { start: position, length: blockLength });
        position += block.nbSamples;
        packets.encodeNow(block);
        block.free();
      }
    },
    flush: () => packets.encodeNow(null),
    free: () => context.freeContext(),
  };
}

function soundFrame(
  { left, right }: EncoderOptions['sound'],
  { start, length }: { readonly start: number; readonly length: number },
): av.Frame {
  const planes = [left, right].map((plane) => plane.subarray(start, Math.min(start + length, plane.length)));
  const frame = av.Frame.fromAudioBuffer(
    Buffer.concat(planes.map((plane) => Buffer.from(plane.buffer, plane.byteOffset, plane.byteLength))),
    {
      nbSamples: planes[0]?.length ?? 0,
      format: av.AV_SAMPLE_FMT_FLTP,
      sampleRate,
      channelLayout: av.AV_CHANNEL_LAYOUT_STEREO,
    },
  );
  frame.pts = BigInt(start);
  return frame;
}

/** Feeds one encoder and hands its packets to the file, in the file's own units of time. */
class PacketWriter {
  readonly #output: av.FormatContext;
  readonly #context: av.CodecContext;
  readonly #stream: av.Stream;
  readonly #packet = new av.Packet();

  constructor(output: av.FormatContext, { context, stream }: { context: av.CodecContext; stream: av.Stream }) {
    this.#output = output;
    this.#context = context;
    this.#stream = stream;
    this.#packet.alloc();
  }

  /** On FFmpeg's threads, so that the next frame can be drawn meanwhile. */
  async encode(frame: av.Frame | null): Promise<void> {
    check(await this.#context.sendFrame(frame), 'encode');
    this.#writePackets();
  }

  encodeNow(frame: av.Frame | null): void {
    check(this.#context.sendFrameSync(frame), 'encode');
    this.#writePackets();
  }

  #writePackets(): void {
    for (;;) {
      const result = this.#context.receivePacketSync(this.#packet);
      if (result === av.AVERROR_EAGAIN || result === av.AVERROR_EOF) return;
      check(result, 'encode');
      this.#packet.streamIndex = this.#stream.index;
      // x264 leaves it out; the film would then end with the start of its last frame.
      if (this.#packet.duration === 0n) this.#packet.duration = 1n;
      this.#packet.rescaleTs(this.#context.timeBase, this.#stream.timeBase);
      check(this.#output.interleavedWriteFrameSync(this.#packet), 'write');
      this.#packet.unref();
    }
  }
}

function addStream(output: av.FormatContext, context: av.CodecContext, codec: av.Codec): av.Stream {
  const stream = output.newStream(codec);
  stream.timeBase = context.timeBase;
  check(stream.codecpar.fromContext(context), 'describe a stream');
  return stream;
}

function pictureFrame(shape: { width: number; height: number; format: av.AVPixelFormat }): av.Frame {
  const frame = new av.Frame();
  frame.alloc();
  frame.width = shape.width;
  frame.height = shape.height;
  frame.format = shape.format;
  check(frame.getBuffer(), 'take memory for a frame');
  return frame;
}

function tagBt709(target: av.CodecContext | av.Frame): void {
  target.colorSpace = av.AVCOL_SPC_BT709;
  target.colorRange = av.AVCOL_RANGE_MPEG;
  target.colorPrimaries = av.AVCOL_PRI_BT709;
  target.colorTrc = av.AVCOL_TRC_BT709;
}
