import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Palette } from '../look/palette.js';
import type { Random } from '../random.js';

/** Draws one moment of something onto a frame. The same moment always gives the same picture. */
export type Painter = (context: SKRSContext2D, moment: Moment) => void;

export interface Moment {
  /** 0 at the beginning of the view, 1 at its end. */
  readonly progress: number;
  /** Since the film's beginning: for what continues through cuts, like waves. */
  readonly seconds: number;
}

export interface SettingOptions {
  readonly width: number;
  readonly height: number;
  /** One pixel of a frame whose shorter side is 720. */
  readonly unit: number;
  readonly palette: Palette;
  readonly random: Random;
  readonly variant: number;
  /** Where across the frame (0 to 1) no text stands: the place for what should be seen. */
  readonly focus: number;
  readonly energy: number;
}
