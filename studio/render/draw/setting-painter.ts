import type { Setting } from '../plan/settings.js';
import type { Painter, SettingOptions } from './painter.js';
import { paintCity } from './settings/city.js';
import { paintForest } from './settings/forest.js';
import { paintHills } from './settings/hills.js';
import { paintLights } from './settings/lights.js';
import { paintNetwork } from './settings/network.js';
import { paintRibbons } from './settings/ribbons.js';
import { paintRoom } from './settings/room.js';
import { paintSea } from './settings/sea.js';
import { paintSky } from './settings/sky.js';
import { paintSpace } from './settings/space.js';
import { paintStage } from './settings/stage.js';

const painters: Readonly<Record<Setting, (options: SettingOptions) => Painter>> = {
  hills: paintHills,
  sea: paintSea,
  city: paintCity,
  sky: paintSky,
  space: paintSpace,
  forest: paintForest,
  room: paintRoom,
  stage: paintStage,
  network: paintNetwork,
  lights: paintLights,
  ribbons: paintRibbons,
};

/** Builds the setting now, some 50 ms at 720p; the painter it returns draws a frame of it in a few. */
export function settingPainter(setting: Setting, options: SettingOptions): Painter {
  return painters[setting](options);
}
