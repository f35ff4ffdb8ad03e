import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { brief } from '../../ledger/scene.js';
import { serveMovies, serviceAt } from '../../whole/service.js';
import { openPlace, type Place } from '../terminal.js';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
  await place.scene.fund('acme', 10_000, { rehearsal: false });
});
afterEach(() => place.close());

describe('plan', () => {
  test('lists the rows that the campaign has and the sheet has not, and cancels none of them', async () => {
    const served = await serveMovies();
    // Temporal is somebody else's, so that nothing is started for a look at prices.
    const env = { ...serviceAt(served.port), TEMPORAL_ADDRESS: '127.0.0.1:9' };
    const url = `http://127.0.0.1:${served.port}/v1`;
    const service = { name: new URL(url).host, baseUrl: url, rehearsal: false };
    const batchId = await place.scene.make(['a', 'b', 'ep-1', 'ep-2', 'ep-3', 'ep-4', 'ep-5'], { service });
    await writeFile(join(place.folder, 'spring.csv'), 'id,prompt\nc,"A runner at noon, on the bridge"\n');

    const { out, err, code } = await place.run(['plan', 'spring.csv'], { env, columns: 120 });
    expect(code, err).toBe(0);
    const lines = out.split('\n').map((line) => line.replace(/ +/g, ' '));
    expect(lines).toContain('removed 7 - not in the sheet, left alone: a, b, ep-1, ep-2, ep-3 and 2 more');
    expect(lines.find((line) => line.startsWith('total'))).toMatch(/^total 1 /);

    const { rows } = JSON.parse((await place.run(['plan', 'spring.csv', '--json'], { env })).out);
    expect(rows).toHaveLength(8);
    expect(rows[0]).toMatchObject({ id: 'c', class: 'new', ordered: true });
    expect(rows[1]).toEqual({
      ...{ id: 'a', class: 'removed', ordered: false, digest: null, amount_minor: null, credits: null },
      ...{ changed: [], problem: null, batch: batchId, state: 'planned' },
    });
    expect(await place.scene.row(batchId, 'a')).toMatchObject({ state: 'planned', cancelRequested: false });
  });

  test('where nothing is left to order names what there is instead', async () => {
    await place.scene.fund('acme', 10_000);
    const batchId = await place.scene.make(['c'], { campaign: 'spring' });
    await place.scene.deliver(batchId, 'c');
    const { prompt, durationSeconds, aspectRatio } = brief('c');
    const sheet = `id,prompt,duration_seconds,aspect_ratio\nc,"${prompt}",${durationSeconds},${aspectRatio ?? ''}\n`;
    await writeFile(join(place.folder, 'spring.csv'), sheet);
    const { out, err, code } = await place.run(['plan', 'spring.csv'], { columns: 120 });
    expect(code, err).toBe(0);
    expect(out).toMatch(/^unchanged +1 /m);
    expect(err).toMatch(/^all films of spring: greenlight bundle spring$/m);
  });

  test('without a budget the next step says where one goes', async () => {
    await writeFile(join(place.folder, 'zeta.csv'), 'id,prompt\na,A runner at dawn\n');
    const served = await serveMovies();
    const env = { ...serviceAt(served.port), TEMPORAL_ADDRESS: '127.0.0.1:9' };
    const { err, code } = await place.run(['plan', 'zeta.csv'], { env, columns: 120 });
    expect(code, err).toBe(0);
    expect(err).toMatch(/^Next: greenlight submit zeta\.csv --budget <limit>$/m);
    const { err: given } = await place.run(['plan', 'zeta.csv', '--budget', '5USD'], { env, columns: 120 });
    expect(given).toMatch(/^Next: greenlight submit zeta\.csv --budget 5\.00USD$/m);
  });
});
