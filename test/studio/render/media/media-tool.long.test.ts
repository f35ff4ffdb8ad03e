import { describe, expect, test } from 'vitest';
import { commandLineTool } from '../../../../studio/render/media/command-line-tool.js';
import { findOnPath, loadMediaTool } from '../../../../studio/render/media/media-tool.js';
import { nodeAvTool } from '../../../../studio/render/media/node-av-tool.js';
import { mediaToolSuite } from './media-tool.case.js';

const command = await findOnPath('ffmpeg');
const commandTool = command === null ? null : commandLineTool(command);

describe('node-av', { timeout: 120_000 }, () => {
  mediaToolSuite(nodeAvTool, commandTool ?? nodeAvTool);
});

describe.skipIf(!commandTool)('ffmpeg on PATH (skipped where there is none)', { timeout: 120_000 }, () => {
  mediaToolSuite(commandTool ?? nodeAvTool, nodeAvTool);
});

describe('loadMediaTool', () => {
  test('prefers the library', async () => {
    expect(await loadMediaTool()).toBe(nodeAvTool);
  });

  test('finds commands on PATH, and null for what is nowhere', async () => {
    expect(await findOnPath('node')).toMatch(/node$/);
    expect(await findOnPath('no-such-command-anywhere')).toBeNull();
  });
});
