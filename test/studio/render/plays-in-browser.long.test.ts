import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findOnPath } from '../../../studio/render/media/media-tool.js';
import { renderFilm } from '../../../studio/render/render.js';

const browser = (await findOnPath('chromium')) ?? (await findOnPath('google-chrome'));

/** Loads the film with its captions, jumps into its middle, plays on, and tells what became of it. */
const page = `<!doctype html><title>film</title>
<video id="film" src="/film.mp4" muted crossorigin><track default kind="captions" src="/captions.vtt"></video>
<script>
  const film = document.getElementById('film');
  const tell = (result) => fetch('/result', { method: 'POST', body: JSON.stringify(result) });
  window.onerror = (error) => tell({ error });
  window.onunhandledrejection = ({ reason }) => tell({ error: String(reason) });
  film.onerror = () => tell({ error: film.error.message });
  film.onloadedmetadata = () => { film.textTracks[0].mode = 'showing'; film.currentTime = 2.5; };
  film.onseeked = async () => {
    film.onseeked = null;
    const canvas = Object.assign(document.createElement('canvas'), { width: film.videoWidth, height: film.videoHeight });
    const context = canvas.getContext('2d');
    context.drawImage(film, 0, 0);
    const pixels = context.getImageData(0, 0, canvas.width, canvas.height).data;
    const from = film.currentTime;
    await film.play();
    film.ontimeupdate = () => {
      if (film.currentTime < from + 0.4) return;
      film.ontimeupdate = null;
      film.pause();
      tell({
        width: film.videoWidth,
        height: film.videoHeight,
        duration: film.duration,
        brightest: pixels.reduce((most, value, index) => (index % 4 < 3 ? Math.max(most, value) : most), 0),
        hasSound: film.webkitAudioDecodedByteCount > 0,
        captions: [...film.textTracks[0].cues].map((cue) => cue.text),
      });
    };
  };
</script>`;

describe.skipIf(browser === null)('a film in Chromium (skipped where there is none)', { timeout: 180_000 }, () => {
  let folder: string;
  let server: Server;
  let chromium: ChildProcess | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'browser-'));
  });
  afterEach(async () => {
    chromium?.kill('SIGKILL');
    if (chromium?.exitCode === null && chromium.signalCode === null) await once(chromium, 'exit');
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  test('loads, seeks, plays with sound and shows its captions', async () => {
    const files = await renderFilm({
      prompt: 'A red kite climbs over the dunes. The sea answers with light & wind.',
      durationSeconds: 6,
      aspectRatio: '4:5',
      style: null,
      references: [],
      preset: 'draft',
      outFolder: folder,
    });
    const bytes = new Map<string, Buffer | string>([['/', page]]);
    for (const { type, path } of files) {
      if (type === 'final_video') bytes.set('/film.mp4', await readFile(path));
      if (type === 'captions') bytes.set('/captions.vtt', await readFile(path));
    }
    const result = new Promise<unknown>((resolve) => {
      server = serve(bytes, resolve);
    });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // listens on a port
    chromium = spawn(
      browser ?? '',
      [
        ...['--headless=new', '--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
        ...[`--user-data-dir=${join(folder, 'profile')}`, `http://127.0.0.1:${port}/`],
      ],
      { stdio: 'ignore', env: { ...process.env, TMPDIR: folder } },
    );
    expect(await result).toEqual({
      width: 216,
      height: 270,
      duration: 6,
      brightest: expect.toSatisfy((value: number) => value > 150),
      hasSound: true,
      captions: ['A red kite climbs over the dunes.', 'The sea answers with light &amp; wind.'],
    });
  });
});

/** Browsers seek by ranges. */
function serve(files: ReadonlyMap<string, Buffer | string>, onResult: (result: unknown) => void): Server {
  return createServer((request, response) => {
    if (request.method === 'POST') {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      request.on('end', () => {
        response.end();
        onResult(JSON.parse(body));
      });
      return;
    }
    const content = Buffer.from(files.get(request.url ?? '') ?? '');
    const [, from = '0', to = ''] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '') ?? [];
    const end = to === '' ? content.length - 1 : Number(to);
    const type = request.url?.endsWith('.mp4') ? 'video/mp4' : request.url?.endsWith('.vtt') ? 'text/vtt' : 'text/html';
    response.writeHead(request.headers.range ? 206 : 200, {
      'Content-Type': type,
      'Accept-Ranges': 'bytes',
      'Content-Length': end - Number(from) + 1,
      'Content-Range': `bytes ${from}-${end}/${content.length}`,
    });
    response.end(content.subarray(Number(from), end + 1));
  }).listen(0, '127.0.0.1');
}
