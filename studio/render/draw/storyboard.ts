import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import type { FilmPlan } from '../plan/film-plan.js';
import type { View } from '../plan/views.js';
import type { SetText, Typesetter } from '../text/typesetter.js';

/** A contact sheet: one still of each view, numbered, with its time and its words. */
export interface Storyboard {
  /** The moments to hand in, in seconds, in order. */
  readonly moments: readonly number[];
  addStill(index: number, frame: Canvas): void;
  finish(): Canvas;
}

const maxPanels = 24;
/** Sheets come out about as wide as a screen, whatever the ratio of the stills. */
const columnsByShape = { wide: 3, square: 4, tall: 6 } as const;

interface Panel {
  readonly view: View;
  readonly number: number;
  readonly words: SetText | null;
  readonly heading: string;
}

export function createStoryboard(plan: FilmPlan, typesetter: Typesetter): Storyboard {
  const { width, height } = plan.size;
  const shape = width > height * 1.2 ? 'wide' : height > width * 1.5 ? 'tall' : 'square';
  const sheetWidth = 2 * Math.round(Math.min(1_600, width * 1.6) / 2);
  const scale = sheetWidth / 1_600;
  const gap = 28 * scale;
  const chosen = chosenViews(plan.views);
  const columns = Math.min(columnsByShape[shape], chosen.length);
  const cell = { width: (sheetWidth - gap * (columnsByShape[shape] + 1)) / columnsByShape[shape] };
  const stillHeight = (cell.width * height) / width;
  const panels = chosen.map((one) => panelOf(one, { plan, typesetter, scale, width: cell.width }));
  const rows = Array.from({ length: Math.ceil(panels.length / columns) }, (_, row) =>
    panels.slice(row * columns, (row + 1) * columns),
  );
  const textHeight = (panel: Panel) =>
    44 * scale + (panel.words ? panel.words.lines.length * panel.words.lineHeightPx : 0);
  const rowHeights = rows.map((row) => stillHeight + Math.max(...row.map(textHeight)) + gap);
  const top = 96 * scale;
  const canvas = createCanvas(
    sheetWidth,
    2 * Math.ceil((top + rowHeights.reduce((sum, each) => sum + each, 0) + gap * 0.5) / 2),
  );
  const context = canvas.getContext('2d');
  context.fillStyle = '#f6f4ef';
  context.fillRect(0, 0, canvas.width, canvas.height);

  const write = createWriter(context, typesetter, cell.width);
  const line = (text: string, sizePx: number) => typesetter.set(text, { voice: 'label', sizePx, width: sheetWidth });
  write(line('Storyboard', 34 * scale), { x: gap, y: 30 * scale, colour: '#1c1b1a' });
  const facts = `${plan.durationSeconds} s · ${width} × ${height} · ${plan.views.length} views · animatic, made without a generative model`;
  const factsSet = line(facts, 17 * scale);
  write(factsSet, { x: sheetWidth - gap - factsSet.widthPx, y: 44 * scale, colour: '#6b675f' });

  const placeOf = (index: number) => {
    const row = Math.floor(index / columns);
    const above = rowHeights.slice(0, row).reduce((sum, each) => sum + each, top);
    return { x: gap + (index % columns) * (cell.width + gap), y: above };
  };

  return {
    moments: chosen.map(({ view }) => stillMoment(plan, view)),
    addStill(index, frame) {
      const panel = panels[index];
      if (!panel) return;
      const { x, y } = placeOf(index);
      context.save();
      context.imageSmoothingQuality = 'high';
      context.beginPath();
      context.roundRect(x, y, cell.width, stillHeight, 8 * scale);
      context.clip();
      context.drawImage(frame, x, y, cell.width, stillHeight);
      context.restore();
      write(line(panel.heading, 15 * scale), { x, y: y + stillHeight + 10 * scale, colour: '#8a857b' });
      if (panel.words) write(panel.words, { x, y: y + stillHeight + 34 * scale, colour: '#2a2826' });
    },
    finish: () => canvas,
  };
}

interface PanelOptions {
  readonly plan: FilmPlan;
  readonly typesetter: Typesetter;
  readonly scale: number;
  readonly width: number;
}

function panelOf({ view, number }: Pick<Panel, 'view' | 'number'>, options: PanelOptions): Panel {
  const { plan, typesetter, scale, width } = options;
  const words = wordsOf(plan, view);
  return {
    view,
    number,
    heading: `${String(number).padStart(2, '0')}   ${clock(view.start)} – ${clock(view.end)}`,
    words: words === '' ? null : typesetter.set(words, { voice: 'label', sizePx: 17 * scale, width }),
  };
}

function createWriter(context: SKRSContext2D, typesetter: Typesetter, width: number) {
  return (set: SetText, { x, y, colour }: { readonly x: number; readonly y: number; readonly colour: string }) => {
    context.fillStyle = colour;
    for (const [index, text] of set.lines.entries()) {
      typesetter.prepare(context, { text, voice: set.voice, sizePx: set.sizePx });
      context.textAlign = set.direction === 'rtl' ? 'right' : 'left';
      const at = set.direction === 'rtl' ? x + width : x;
      context.fillText(text, at, y + set.lineHeightPx * (index + 0.5) + set.sizePx * 0.35);
    }
  };
}

function chosenViews(views: readonly View[]): readonly { readonly view: View; readonly number: number }[] {
  const numbered = views.map((view, index) => ({ view, number: index + 1 }));
  if (numbered.length <= maxPanels) return numbered;
  const step = (numbered.length - 1) / (maxPanels - 1);
  return Array.from({ length: maxPanels }, (_, index) => numbered[Math.round(index * step)]).filter(
    (one) => one !== undefined,
  );
}

/** When the words are there and the transition is over. */
function stillMoment({ pages }: FilmPlan, { start, end }: View): number {
  const page = pages.find((each) => each.start < end - 0.01 && each.shownUntil > start + 0.01);
  const wished = start + (end - start) * 0.62;
  return page
    ? Math.max(start, Math.min(wished, Math.max(start + (end - start) * 0.3, page.shownUntil - 0.3)))
    : wished;
}

/** The words of the pages that turn up in a view. */
function wordsOf({ pages }: FilmPlan, { start, end }: View): string {
  return pages
    .filter((page) => page.start >= start - 1e-6 && page.start < end - 1e-6)
    .map(({ text }) => text)
    .join(' ');
}

function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(1).padStart(4, '0')}`;
}
