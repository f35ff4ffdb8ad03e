import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openPlace, type Place } from '../terminal.js';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

const elsewhere = { TEMPORAL_ADDRESS: '127.0.0.1:9' };
const service = { ...elsewhere, MOVIE_API_URL: 'http://127.0.0.1:9/v1', MOVIE_API_KEY: 'k' };
const url = 'https://hooks.example/greenlight';
const secret = `whsec_${btoa('hush')}`;

describe('doctor', () => {
  test('says of a ledger that is behind its archive what to do', async () => {
    await place.ledger.db.updateTable('ledger').set({ halted: 'the archive is ahead of this ledger' }).execute();
    const { out, code } = await place.run(['doctor', '--json'], { env: service });
    const words = 'Cannot order: the archive is ahead of this ledger; see "greenlight reconcile restored"';
    expect(JSON.parse(out)).toContainEqual({ part: 'ledger', ok: false, words });
    expect(code).toBe(4);
  });

  test.each([
    ['of the own studio', elsewhere, 'from the built-in studio, received by run and worker'],
    ['that are not set up', service, 'none: movies are polled; set GREENLIGHT_WEBHOOK_URL to receive events'],
    ['that go elsewhere', { ...service, GREENLIGHT_WEBHOOK_URL: url }, `${url}, received by another machine`],
    [
      'that nobody checks',
      { ...service, GREENLIGHT_WEBHOOK_URL: url, GREENLIGHT_WEBHOOK_LISTEN: '8090' },
      `${url}, received at 127.0.0.1:8090, NOT checked, since GREENLIGHT_WEBHOOK_SECRET is not set`,
    ],
    [
      'that are checked',
      {
        ...service,
        GREENLIGHT_WEBHOOK_URL: url,
        GREENLIGHT_WEBHOOK_LISTEN: '0.0.0.0:80',
        GREENLIGHT_WEBHOOK_SECRET: secret,
      },
      `${url}, received at 0.0.0.0:80, signatures checked`,
    ],
  ])('says of events %s where they are received', async (_, env, words) => {
    const { out } = await place.run(['doctor', '--json'], { env });
    expect(JSON.parse(out)).toContainEqual({ part: 'webhooks', ok: true, words });
    expect(out).not.toContain(secret);
  });
});
