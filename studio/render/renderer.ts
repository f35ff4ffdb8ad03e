import type { probeReference, renderFilm } from './render.js';

/** What makes the films and looks into uploads; the studio's own is in `render/`. */
export interface Renderer {
  readonly renderFilm: typeof renderFilm;
  readonly probeReference: typeof probeReference;
}
