import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { type Encoder, type EncoderOptions, type Sound, sampleRate } from './encoder.js';
import type { MediaSource, MediaTool, SoundOptions, Still, StillOptions } from './media-tool.js';

/** The `ffmpeg` command: for machines that cannot or must not have the library. */
export function commandLineTool(command: string): MediaTool {
  return {
    openEncoder: (options) => openEncoder(command, options),
    turnsStills: true,
    readStills: (source, options) => readStills(command, { source, ...options }),
    readSound: (source, options) => readSound(command, { source, ...options }),
  };
}

const bt709 = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'];

/** Frames go through a pipe. The sound is a file next to it, since two pipes at once would wait for each other. */
async function openEncoder(command: string, options: EncoderOptions): Promise<Encoder> {
  const { path, width, height, framesPerSecond, sound } = options;
  const soundPath = path.replace(/(?:\.part)?$/, '.sound.part');
  await writeFile(soundPath, interleaved(sound));
  const running = run(command, [
    ...[
      '-f',
      'rawvideo',
      '-pix_fmt',
      'rgba',
      '-s',
      `${width}x${height}`,
      '-r',
      String(framesPerSecond),
      '-i',
      'pipe:0',
    ],
    ...['-f', 'f32le', '-ar', String(sampleRate), '-ac', '2', '-i', soundPath],
    ...['-vf', 'scale=out_color_matrix=bt709:out_range=tv', '-pix_fmt', 'yuv420p', ...bt709],
    ...['-c:v', 'libx264', '-preset', options.speed, '-crf', String(options.rateFactor), '-threads', '2'],
    ...['-g', String(framesPerSecond * 2), '-c:a', 'aac', '-aac_coder', 'fast', '-b:a', String(options.soundBitRate)],
    ...Object.entries(options.tags).flatMap(([name, value]) => ['-metadata', `${name}=${value}`]),
    ...['-fflags', '+bitexact', '-flags:v', '+bitexact', '-flags:a', '+bitexact', '-movflags', '+faststart'],
    ...['-f', 'mp4', '-y', path],
  ]);
  const { stdin } = running.process;
  return {
    async frame(rgba) {
      if (!stdin || running.ended()) await running.done;
      else if (!stdin.write(rgba)) await Promise.race([once(stdin, 'drain'), running.done]);
    },
    async finish() {
      stdin?.end();
      await running.done;
      await rm(soundPath, { force: true });
    },
  };
}

type StillRequest = StillOptions & { readonly source: MediaSource };

async function readStills(
  command: string,
  { source, moments, largestSide, onStep }: StillRequest,
): Promise<readonly Still[]> {
  const stills: Still[] = [];
  const fit = `scale='if(gt(iw*sar,ih),min(${largestSide},iw*sar),-2)':'if(gt(iw*sar,ih),-2,min(${largestSide},ih))',setsar=1`;
  for (const moment of moments) {
    const { done } = run(command, [
      ...['-protocol_whitelist', 'file,pipe', '-f', source.demuxer, '-ss', String(moment), '-i', `file:${source.path}`],
      ...['-frames:v', '1', '-vf', fit, '-f', 'image2pipe', '-c:v', 'pam', '-pix_fmt', 'rgba', 'pipe:1'],
    ]);
    const still = parsePam(await done);
    if (still) stills.push(still);
    onStep?.();
  }
  return stills;
}

async function readSound(
  command: string,
  { source, maxSeconds, onStep }: SoundOptions & { readonly source: MediaSource },
): Promise<Sound> {
  const { done } = run(
    command,
    [
      ...[
        '-protocol_whitelist',
        'file,pipe',
        '-f',
        source.demuxer,
        '-t',
        String(maxSeconds),
        '-i',
        `file:${source.path}`,
      ],
      ...['-vn', '-f', 'f32le', '-ar', String(sampleRate), '-ac', '2', 'pipe:1'],
    ],
    onStep,
  );
  const bytes = await done;
  const samples = Math.floor(bytes.length / 8);
  const [left, right] = [new Float32Array(samples), new Float32Array(samples)];
  for (let index = 0; index < samples; index++) {
    left[index] = bytes.readFloatLE(index * 8);
    right[index] = bytes.readFloatLE(index * 8 + 4);
  }
  return { left, right };
}

interface Running {
  readonly process: ChildProcess;
  /** What it wrote to stdout; rejects with the end of stderr. */
  readonly done: Promise<Buffer>;
  readonly ended: () => boolean;
}

function run(command: string, args: readonly string[], onData?: () => void): Running {
  const child = spawn(command, ['-nostdin', '-hide_banner', '-v', 'error', ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const output: Buffer[] = [];
  let errorTail = '';
  let ended = false;
  child.stdout.on('data', (chunk: Buffer) => {
    output.push(chunk);
    onData?.();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorTail = (errorTail + text).slice(-500);
  });
  // The exit code and stderr explain a broken pipe better.
  child.stdin.on('error', () => undefined);
  const done = new Promise<Buffer>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      ended = true;
      if (code === 0) resolve(Buffer.concat(output));
      else reject(new Error(`Cannot use ffmpeg: it ended with ${code}: ${errorTail.trim()}`));
    });
  });
  // Whoever awaits it gets the error; until then it must not end the process.
  done.catch(() => undefined);
  return { process: child, done, ended: () => ended };
}

function interleaved({ left, right }: Sound): Buffer {
  const samples = new Float32Array(left.length * 2);
  for (let index = 0; index < left.length; index++) {
    samples[index * 2] = left[index] ?? 0;
    samples[index * 2 + 1] = right[index] ?? 0;
  }
  return Buffer.from(samples.buffer);
}

/** PAM: lines of text with the size, then the bytes. */
function parsePam(bytes: Buffer): Still | null {
  const end = bytes.indexOf('ENDHDR\n');
  if (end < 0) return null;
  const header = bytes.toString('latin1', 0, end);
  const [width, height] = ['WIDTH', 'HEIGHT'].map((name) => Number(new RegExp(`${name} (\\d+)`).exec(header)?.[1]));
  if (!width || !height) return null;
  return { width, height, rgba: new Uint8ClampedArray(bytes.subarray(end + 7, end + 7 + width * height * 4)) };
}
