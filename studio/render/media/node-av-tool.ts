import type { MediaTool } from './media-tool.js';
import { openNodeAvEncoder } from './node-av-encoder.js';
import { readSound, readStills } from './node-av-reader.js';

export const nodeAvTool: MediaTool = { openEncoder: openNodeAvEncoder, turnsStills: false, readStills, readSound };
