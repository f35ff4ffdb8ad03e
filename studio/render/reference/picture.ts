import type { Canvas } from '@napi-rs/canvas';

/** What can be seen of a reference: one still of an image, several of a film. */
export interface Picture {
  readonly stills: readonly Canvas[];
  readonly width: number;
  readonly height: number;
  /** Whether its corners are see-through: such a picture is an object that was cut out, and needs no frame. */
  readonly cutOut: boolean;
}
