import type { AspectRatio } from '../../../domain/brief.js';
import type { FrameSize } from '../frame-size.js';
import type { Direction } from '../text/typesetter.js';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where things stand in a frame. Each ratio has its own arrangement: none is a crop of another. */
export interface Composition {
  readonly text: Box;
  /** Where references are held. */
  readonly cards: Box;
  /** One pixel of a frame whose shorter side is 720. */
  readonly unit: number;
  /** Of the brief: right-to-left text mirrors the arrangement. */
  readonly direction: Direction;
}

type Shares = readonly [x: number, y: number, width: number, height: number];

/**
 * In parts of the frame. Upright frames are watched on phones, where the lower fifth and the upper tenth are under the
 * controls of most players: nothing that must be read or seen stands there.
 */
const alone: Readonly<Record<AspectRatio, Shares>> = {
  '16:9': [0.075, 0.2, 0.68, 0.68],
  '9:16': [0.09, 0.3, 0.82, 0.49],
  '1:1': [0.085, 0.28, 0.83, 0.63],
  '4:5': [0.085, 0.32, 0.83, 0.58],
};
const withCards: Readonly<Record<AspectRatio, { readonly text: Shares; readonly cards: Shares }>> = {
  '16:9': { text: [0.065, 0.14, 0.48, 0.74], cards: [0.585, 0.12, 0.35, 0.76] },
  '9:16': { text: [0.09, 0.53, 0.82, 0.27], cards: [0.12, 0.11, 0.76, 0.39] },
  '1:1': { text: [0.085, 0.61, 0.83, 0.31], cards: [0.16, 0.07, 0.68, 0.5] },
  '4:5': { text: [0.085, 0.6, 0.83, 0.31], cards: [0.13, 0.07, 0.74, 0.49] },
};

export function compose({ width, height }: FrameSize, { aspectRatio, cards, direction }: ComposeOptions): Composition {
  const place = ([x, y, w, h]: Shares): Box => ({
    x: (direction === 'rtl' ? 1 - x - w : x) * width,
    y: y * height,
    width: w * width,
    height: h * height,
  });
  const shares = withCards[aspectRatio];
  return {
    text: place(cards ? shares.text : alone[aspectRatio]),
    cards: place(shares.cards),
    unit: Math.min(width, height) / 720,
    direction,
  };
}

interface ComposeOptions {
  readonly aspectRatio: AspectRatio;
  /** Whether references are held in this film at all: its text keeps one place throughout. */
  readonly cards: boolean;
  readonly direction: Direction;
}
