import { writeFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { documentPicture } from './draw/document-picture.js';
import { createFilmPainter, type FilmPainter } from './draw/film-painter.js';
import { createStoryboard } from './draw/storyboard.js';
import { filmFiles } from './film-files.js';
import { frameSize } from './frame-size.js';
import { lookFrom } from './look/look.js';
import type { Encoder, Sound } from './media/encoder.js';
import { loadMediaTool, type MediaTool } from './media/media-tool.js';
import { webVtt } from './plan/cues.js';
import { type FilmPlan, planFilm } from './plan/film-plan.js';
import { screenTextOf } from './plan/screen-text.js';
import { loadReferences } from './reference/load-references.js';
import type { FilmSpec, RenderedFile, RenderProgress } from './render.js';
import { soundTrack } from './sound/sound-track.js';
import { hanStyleOf } from './text/face-finder.js';
import { FontCase } from './text/font-case.js';
import { Typesetter } from './text/typesetter.js';

export interface MakeFilmOptions {
  readonly report: (progress: RenderProgress) => void;
  /** Called when a step of unknown length is done. */
  readonly onStep: () => void;
}

const honestComment = 'Animatic, made without a generative model';

const quality = {
  film: { speed: 'veryfast', rateFactor: 21, soundBitRate: 160_000 },
  draft: { speed: 'ultrafast', rateFactor: 24, soundBitRate: 96_000 },
  stub: { speed: 'ultrafast', rateFactor: 32, soundBitRate: 32_000 },
} as const;

/** Makes all files of a film as `*.part`. Runs in the child process. */
export async function makeFilm(spec: FilmSpec, { report, onStep }: MakeFilmOptions): Promise<readonly RenderedFile[]> {
  report({ percent: 0, stage: 'planning' });
  const tool = await loadMediaTool();
  const size = frameSize(spec.preset, spec.aspectRatio);
  const loaded = await loadReferences(spec.references, { ...spec, size, tool, onStep });
  const typesetter = new Typesetter(new FontCase(hanStyleOf(spec.prompt)));
  const style = [spec.style, ...screenTextOf(spec.prompt).directions, loaded.styleWords].join(' ');
  const look = lookFrom(style, { prompt: spec.prompt, colours: loaded.colours });
  const plan = planFilm({ ...spec, size, look, members: loaded.members }, typesetter);
  report({ percent: 4, stage: 'generating' });
  const sound = soundTrack(plan, { sounds: loaded.sounds, silent: spec.fault === 'silent' });
  const pictures = new Map(loaded.pictures);
  for (const [index, text] of loaded.documents) pictures.set(index, documentPicture(text, typesetter));
  report({ percent: 10, stage: 'rendering' });
  return renderPlan(plan, {
    spec,
    tool,
    sound,
    painter: createFilmPainter(plan, { pictures, typesetter }),
    typesetter,
    report,
  });
}

interface Rendering extends Pick<MakeFilmOptions, 'report'> {
  readonly spec: FilmSpec;
  readonly tool: MediaTool;
  readonly sound: Sound;
  readonly painter: FilmPainter;
  readonly typesetter: Typesetter;
}

async function renderPlan(
  plan: FilmPlan,
  { spec, tool, sound, painter, typesetter, report }: Rendering,
): Promise<readonly RenderedFile[]> {
  const files = filmFiles(spec);
  const partOf = (type: RenderedFile['type']) => `${files.find((file) => file.type === type)?.path}.part`;
  const encoder = await tool.openEncoder({
    ...plan.size,
    ...quality[spec.preset],
    path: partOf('final_video'),
    sound,
    tags: { title: plan.pages[0]?.text.slice(0, 200) ?? '', comment: honestComment },
  });
  const storyboard = createStoryboard(plan, typesetter);
  const poster = await drawFrames(plan, {
    painter,
    encoder,
    black: spec.fault === 'black',
    stills: storyboard.moments,
    onStill: storyboard.addStill,
    onFrame: (share) => report({ percent: Math.floor(10 + 85 * share), stage: 'rendering' }),
  });
  await encoder.finish();
  const sheet = storyboard.finish();
  await writeFile(partOf('poster'), poster);
  await writeFile(partOf('storyboard'), await sheet.encode('jpeg', 88));
  await writeFile(partOf('captions'), webVtt(plan.cues, plan.composition.direction));
  return files.map((file) =>
    file.type === 'storyboard' ? { ...file, width: sheet.width, height: sheet.height } : file,
  );
}

interface Drawing {
  readonly painter: FilmPainter;
  readonly encoder: Encoder;
  readonly black: boolean;
  /** Moments to take a still of, in order. */
  readonly stills: readonly number[];
  readonly onStill: (index: number, frame: Canvas) => void;
  readonly onFrame: (share: number) => void;
}

/** Draws a frame while the one before is encoded. Returns the poster. */
async function drawFrames(plan: FilmPlan, drawing: Drawing): Promise<Buffer> {
  const { width, height, framesPerSecond } = plan.size;
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d', { alpha: false });
  const count = Math.round(plan.durationSeconds * framesPerSecond);
  const posterFrame = posterAt(plan);
  let poster: Promise<Buffer> | undefined;
  let still = 0;
  let encoding: Promise<void> = Promise.resolve();
  for (let index = 0; index < count; index++) {
    const seconds = index / framesPerSecond;
    drawing.painter(context, seconds);
    if (index === posterFrame) poster = canvas.encode('jpeg', 90);
    for (; (drawing.stills[still] ?? Number.POSITIVE_INFINITY) <= seconds; still++) drawing.onStill(still, canvas);
    if (drawing.black) blacken(canvas);
    const frame = canvas.data();
    await encoding;
    encoding = drawing.encoder.frame(frame);
    // Lets the garbage collector take the frames: their memory is outside of its heap, and promises alone do not yield.
    await setImmediate();
    drawing.onFrame(index / count);
  }
  await encoding;
  for (; still < drawing.stills.length; still++) drawing.onStill(still, canvas);
  return (await poster) ?? canvas.encode('jpeg', 90);
}

/** The first page, once its words have come in. */
function posterAt({ pages, size }: FilmPlan): number {
  const [first] = pages;
  const seconds = first ? Math.min(first.start + 1.6, first.start + (first.shownUntil - first.start) * 0.7) : 0;
  return Math.floor(seconds * size.framesPerSecond);
}

function blacken(canvas: Canvas): void {
  const context = canvas.getContext('2d');
  context.fillStyle = '#000000';
  context.fillRect(0, 0, canvas.width, canvas.height);
}
