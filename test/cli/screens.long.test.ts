import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandTable } from '../../cli/command-table.js';
import { pauseBatch } from '../../ledger/stops/stops.js';
import { brief, oli } from '../ledger/scene.js';
import { openPlace, type Place } from './terminal.js';

/*
 * Every screen in terminals of three widths, with what is hard to lay out: ids of 64 characters, wide letters, text that
 * runs from right to left. What must be typed is whole, and no line is wider than its terminal, which would tear it.
 */
let place: Place;
const id64 = 'this-is-one-of-those-ids-that-a-tool-made-and-it-has-64-columns';
const campaign = 'fruehling-2027-international-launch-campaign';
const batchId = `${campaign}-1`;
const waiting = `${campaign}-2`;
const wide = '映画を作る'.repeat(16);
const rtl = 'חתול הולך ברחוב בשקט, '.repeat(5);
const sheet = `id,prompt,duration_seconds,aspect_ratio,title
${id64},"${rtl}",5,16:9,חתול
wide-1,"${wide}",x,16:9,${wide}
`;

beforeAll(async () => {
  place = await openPlace();
  const { scene, ledger, folder } = place;
  await scene.fund('acme', 100_000);
  const rows = [brief(id64, { prompt: rtl }), brief('wide-1', { prompt: wide }), brief('late'), brief('lost')];
  await scene.make(rows, { campaign, manifest: `${wide}.csv` });
  await scene.deliver(batchId, id64);
  await scene.order(batchId, 'wide-1');
  await scene.look(batchId, 'wide-1', 'failed', { error: { code: 'moderation', message: `${wide} ${rtl}` } });
  await scene.admit(batchId, 'late');
  await scene.answer(batchId, 'late', { kind: 'broken' });
  await pauseBatch(ledger, { batchId, actor: oli, reason: `${wide} ${rtl}`, nowMs: scene.nowMs });
  await scene.seal([brief(`${id64.slice(0, -1)}x`, { prompt: `${wide}。` })], { campaign, manifest: 'חתול.csv' });
  expect((await scene.batch(waiting)).state).toBe('waiting');
  await mkdir(join(folder, 'חתול'), { recursive: true });
  await writeFile(join(folder, 'חתול', `${'映画'.repeat(20)}.csv`), sheet);
});
afterAll(() => place.close());

const screens: readonly (readonly string[])[] = [
  ['status'],
  ['status', '--all'],
  ['status', campaign],
  ['status', batchId, '--rows'],
  ['status', waiting],
  ['status', '--state', 'closed'],
  ['show', batchId, id64],
  ['show', batchId, 'wide-1'],
  ['show', batchId, 'late'],
  ['logs', batchId],
  ['limits', batchId],
  ['approve', waiting],
  ['reject', waiting],
  ['cancel', batchId, '--preview'],
  ['cancel', batchId, 'nobody'],
  ['retry', batchId, id64],
  ['refetch', batchId, id64],
  ['resume', `${campaign}-9`],
  ['unknown', 'list'],
  ['unknown', 'resolve', batchId, 'late'],
  ['budget', 'list'],
  ['budget', 'show', 'acme'],
  ['budget', 'set', 'acme', '5'],
  ['spend'],
  ['spend', '--entries'],
  ['audit'],
  ['audit', 'verify'],
  ['people', 'list'],
  ['policy', 'show'],
  ['policy', 'set', 'nothing', 'x'],
  ['whoami'],
  ['verify', batchId],
  ['results', waiting],
  ['open', waiting],
  ['bundle', waiting],
  ['reconcile', 'nothing.csv'],
  ['check', `חתול/${'映画'.repeat(20)}.csv`],
  ['plan', 'nothing.csv'],
  ['template', 'nothing.pdf'],
  ...commandTable.map(({ name }) => [name, '--help']),
  ['--help'],
  ['statsu'],
];

/** What it wrote, on both streams, as one stands below the other in a terminal. */
async function screenOf(args: readonly string[], columns: number): Promise<string> {
  const { out, err } = await place.run(args, { tty: true, columns, types: ['no'] });
  return out + err;
}

/** Whether it can be read off the screen: each word whole where a line can hold it, and all of them in order. */
function isWhole(command: string, { screen, columns }: { readonly screen: string; readonly columns: number }): boolean {
  const joined = (text: string) => text.replace(/\s+/g, '');
  const words = command.split(' ').filter((word) => stringWidth(word) <= columns - 10);
  const lines = screen.split('\n');
  return joined(screen).includes(joined(command)) && words.every((word) => lines.some((line) => line.includes(word)));
}

/** As `greenlight show spring-1 a`, up to where the sentence goes on. */
function commandsIn(text: string): readonly string[] {
  const found = text.matchAll(/greenlight [a-z]+(?: (?!or\b|and\b|when\b|says\b|shows\b|makes\b)[^\s;,()]+)*/g);
  return [...found].map(([command]) => command.replace(/[.:]$/, ''));
}

async function expectWhole(args: readonly string[], columns: number): Promise<void> {
  const [screen, whole] = [await screenOf(args, columns), await screenOf(args, 10_000)];
  expect(screen).not.toBe('');
  // A word that no line can hold is broken by the terminal and typed whole.
  const fits = (word: string) => /\s/.test(word) || stringWidth(word) <= columns;
  const torn = screen.split('\n').filter((line) => stringWidth(line) > columns && fits(line.trim()));
  expect(torn, screen).toEqual([]);
  const cut = commandsIn(whole).filter((command) => !isWhole(command, { screen, columns }));
  expect(cut, screen).toEqual([]);
}

describe.each([60, 80, 120])('in a terminal of %d columns', (columns) => {
  test.each(screens.map((args) => [args.join(' '), args] as const))('%s', async (_, args) => {
    await expectWhole(args, columns);
  });

  test('the help of each subcommand', async () => {
    for (const { name } of commandTable) {
      const [, listed = ''] = (await screenOf([name, '--help'], 10_000)).split('\nCommands:\n');
      const leaves = [...listed.matchAll(/^ {2}([a-z-]+)/gm)].map(([, leaf = '']) => leaf);
      for (const leaf of leaves) await expectWhole([name, leaf, '--help'], columns);
    }
  });
});
