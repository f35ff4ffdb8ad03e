import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createArchiveMarks } from '../../../archive/archive-marks.js';
import { createFileNotes } from '../../../archive/folder/file-notes.js';
import { warnCounterMismatch } from '../../../cli/session/warn-counter-mismatch.js';
import type { Role } from '../../../domain/roles.js';
import { listAudit } from '../../../ledger/access/audit.js';
import { addPerson } from '../../../ledger/access/people.js';
import { settleBatch } from '../../../ledger/progress/settle.js';
import { pauseBatch } from '../../../ledger/stops/stops.js';
import { ledgerMark } from '../../../ledger/verification/restored-ledger.js';
import { ada, oli } from '../../ledger/scene.js';
import { openPlace, type Place } from '../terminal.js';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
  await place.scene.fund('acme', 1_000);
});
afterEach(() => place.close());

describe('approve', () => {
  test('shows the plan and orders for the amount that is typed', async () => {
    const batchId = await place.scene.seal(['ep-01', 'ep-02', 'ep-03']);
    const { out, err, code } = await place.run(['approve', batchId], { tty: true, types: ['3.00'] });
    expect(err).toContain('new    3  3.00 USD');
    expect(err).toContain('budget acme: 10.00 USD available, 7.00 USD after this batch');
    expect(err).toContain('Order 3 movies for 3.00 USD? Type the amount to confirm (Enter to abort): ');
    expect(out).toMatch(/^spring-1 approved 3\.00 USD by \S+\n$/);
    expect(code).toBe(0);
    expect((await place.scene.batch(batchId)).state).toBe('making');
  });

  test.each([
    ['', 'Nothing is ordered. spring-1 waits'],
    ['yes', '"yes" is not 3.00 USD'],
    ['2.99', '"2.99" is not 3.00 USD'],
    ['3.00 EUR', '"3.00 EUR" is not 3.00 USD'],
  ])('the answer %j is a no', async (answer, words) => {
    const batchId = await place.scene.seal(['ep-01', 'ep-02', 'ep-03']);
    const { err, code } = await place.run(['approve', batchId], { tty: true, types: [answer] });
    expect(err.replace(/\n */g, ' ')).toContain(words);
    expect(code).toBe(3);
    expect((await place.scene.batch(batchId)).state).toBe('waiting');
  });

  test('without a terminal it stops and says the command; --yes accepts the price', async () => {
    const batchId = await place.scene.seal(['ep-01']);
    const asked = await place.run(['approve', batchId]);
    expect(asked.err).toContain('no terminal to confirm on; greenlight approve spring-1 --yes accepts the price');
    expect(asked.code).toBe(3);
    const accepted = await place.run(['approve', batchId, '--yes', '--json']);
    expect(JSON.parse(accepted.out)).toMatchObject({
      batch: 'spring-1',
      total_minor: 100,
      currency: 'USD',
      told: false,
    });
    expect(accepted.code).toBe(0);
  });

  test('of another plan than the one that was read is refused', async () => {
    const batchId = await place.scene.seal(['ep-01']);
    const { err, code } = await place.run(['approve', batchId, '--yes', '--digest', '0000 0000 0000']);
    expect(err).toContain('review it again');
    expect(code).toBe(3);
  });

  test('beyond the budget is refused with the level and the figures, before anybody is asked', async () => {
    await place.scene.fund('acme', 150);
    const batchId = await place.scene.seal(['ep-01', 'ep-02']);
    for (const options of [{ tty: true, types: ['2.00'] }, {}]) {
      const { err, code } = await place.run(['approve', batchId], options);
      const words = err.replace(/\n */g, ' ');
      expect(words).toContain('budget acme has 1.50 USD, the plan needs 2.00 USD');
      expect(words).toContain('raise the limit or order less: greenlight budget set acme <limit>');
      expect(words).not.toContain('Type the amount');
      expect(code).toBe(3);
    }
    expect((await place.scene.batch(batchId)).money.approved).toBe(0);
  });

  const refusedFor = {
    'without the role': { as: 'oli', refusal: /does not have the finance role/ },
    'of what the person submitted': { as: 'sue', refusal: /you submitted it yourself/ },
    'beyond the budget': { as: 'fay', limit: 150, refusal: /budget acme has 1\.50 USD, the plan needs 2\.00 USD/ },
  };
  const doors = {
    'at a terminal': { args: [], options: { tty: true, types: ['2.00'] } },
    'without a terminal': { args: [], options: {} },
    'by --yes': { args: ['--yes'], options: {} },
  };
  test.each(
    Object.entries(refusedFor).flatMap(([why, one]) =>
      Object.entries(doors).map(([door, how]) => ({ why, door, ...one, ...how })),
    ),
  )('$why is refused and audited once, $door', async ({ as, refusal, args, options, ...given }) => {
    await place.scene.fund('acme', 'limit' in given ? (given.limit ?? 0) : 1_000);
    const add = (name: string, ...given: Role[]) =>
      addPerson(place.ledger, { name, roles: given, actor: ada, nowMs: Date.now() });
    await add('ada', 'admin');
    const tokens = {
      oli: await add('oli', 'operator'),
      sue: await add('sue', 'submitter', 'finance'),
      fay: await add('fay', 'finance'),
    };
    const batchId = await place.scene.seal(['ep-01', 'ep-02'], {
      actor: { name: 'sue', roles: ['submitter'], channel: 'terminal' },
    });
    const env = { GREENLIGHT_TOKEN: tokens[as as keyof typeof tokens].token };
    const { code, err } = await place.run(['approve', batchId, ...args], { ...options, env });
    expect(code, err).toBe(3);
    expect(err).not.toContain('Type the amount');
    const audit = await listAudit(place.ledger, { object: batchId, limit: 20 });
    const refusals = audit.filter(({ act }) => act === 'approve_refused');
    expect(refusals.map(({ actor, detail }) => [actor.name, detail.reason])).toEqual([
      [as, expect.stringMatching(refusal)],
    ]);
    expect((await place.scene.batch(batchId)).state).toBe('waiting');
  });

  test('a second time answers with the first decision and asks for nothing', async () => {
    const batchId = await place.scene.seal(['ep-01']);
    await place.run(['approve', batchId, '--yes']);
    const again = await place.run(['approve', batchId], { tty: true, types: [] });
    expect(again.out).toContain('spring-1 was approved already: 1.00 USD');
    expect(again.err).not.toContain('Type the amount');
    expect(again.code).toBe(0);
  });
});

describe('reject', () => {
  test('needs a reason, and keeps it', async () => {
    const batchId = await place.scene.seal(['ep-01']);
    expect(await place.run(['reject', batchId])).toMatchObject({ code: 2 });
    const { out, code } = await place.run(['reject', batchId, '--reason', 'wait for the new logo']);
    expect(out).toContain('wait for the new logo');
    expect(code).toBe(0);
    expect((await place.scene.batch(batchId)).state).toBe('refused');
  });
});

describe('status', () => {
  test('lists batches with what they wait for', async () => {
    const making = await place.scene.make(['a', 'b'], { campaign: 'winter' });
    await place.scene.deliver(making, 'a');
    await place.scene.seal(['ep-01', 'ep-02']);
    const { out } = await place.run(['status']);
    const lines = out.split('\n');
    expect(lines.find((line) => line.startsWith('winter-1'))).toMatch(/in progress\s+1\/2\s+1\.00\/2\.00 USD$/);
    expect(lines.find((line) => line.startsWith('spring-1'))).toMatch(/waiting\s+0\/2\s+0\.00\/- USD$/);
    expect(out).toContain('\n  no worker is running; next: greenlight worker\n');
    expect(out).toMatch(/\n {2}finance approval since .*next: greenlight approve spring-1 --digest \w{12}\n/);
  });

  test('of a batch names each stop with who ends it and how', async () => {
    const batchId = await place.scene.make(['a', 'b']);
    await pauseBatch(place.ledger, { batchId, actor: oli, reason: 'wrong logo', nowMs: Date.now() });
    const { out } = await place.run(['status', batchId], { columns: 200 });
    expect(out).toMatch(/waits for +waiting 2: paused by oli: wrong logo since .*; next: greenlight resume spring-1/);
  });

  test('as JSON counts every row once, and money in minor units', async () => {
    const batchId = await place.scene.make(['a', 'b', 'c']);
    await place.scene.deliver(batchId, 'a');
    await place.scene.order(batchId, 'b');
    const { out } = await place.run(['status', batchId, '--json', '--rows']);
    const status = JSON.parse(out);
    expect(status).toMatchObject({
      batch: 'spring-1',
      campaign: 'spring',
      status: 'making',
      counts: { delivered: 1, running: 1, planned: 1 },
      money: { currency: 'USD', approved: 300, posted: 200, held: 0 },
    });
    expect(status.rows.map(({ id }: { id: string }) => id)).toEqual(['a', 'b', 'c']);
  });

  test('shows rows of the states that are asked for, and refuses words that are none', async () => {
    const batchId = await place.scene.make(['a', 'b']);
    await place.scene.order(batchId, 'a');
    await place.scene.look(batchId, 'a', 'failed', { error: { code: 'moderation', message: 'refused by moderation' } });
    const { out } = await place.run(['status', batchId, '--state', 'failed'], { columns: 120 });
    expect(out).toMatch(/ a +failed .*moderation/);
    expect(out).not.toMatch(/ b +planned/);
    const wrong = await place.run(['status', batchId, '--state', 'faild'], { columns: 300 });
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.err).toMatch(/^Cannot filter rows by state "faild": use waiting, .*failed/);
    const ofRows = await place.run(['status', '--state', 'failed'], { columns: 300 });
    expect(ofRows).toMatchObject({ code: 2 });
    expect(ofRows.err).toMatch(/^Cannot filter batches by state "failed": use .*; of rows: greenlight status <batch> /);
  });

  test('more rows than fit a screen are counted', async () => {
    const rows = Array.from({ length: 130 }, (_, index) => `row-${index}`);
    const batchId = await place.scene.seal(rows);
    const { out } = await place.run(['status', batchId, '--rows']);
    expect(out).toContain('and 30 more: --json');
  });

  test('where nothing was run says so, and makes nothing', async () => {
    const { err, code } = await place.run(['status', '--home', 'elsewhere']);
    expect(err).toContain('Cannot find a ledger in');
    expect(code).toBe(2);
  });
});

describe('cancel', () => {
  test('a preview says what is saved and what is spent, and changes nothing', async () => {
    const batchId = await place.scene.make(['a', 'b', 'c', 'd']);
    await place.scene.deliver(batchId, 'a');
    await place.scene.order(batchId, 'b');
    const { out, code } = await place.run(['cancel', batchId, '--preview']);
    expect(out).toMatch(/^As of \d\d:\d\d:\d\d; nothing changed\.\n/);
    expect(out).toMatch(/2 +not sent +2\.00 +USD not spent/);
    expect(out).toMatch(/1 +in progress +1\.00 +posted; assumed charged even if canceled/);
    expect(out).toMatch(/1 +ended +unchanged/);
    expect(code).toBe(0);
    expect((await place.scene.row(batchId, 'c')).state).toBe('planned');
    const next = async (...rows: readonly string[]) =>
      (await place.run(['cancel', batchId, ...rows, '--preview'], { tty: true, columns: 200 })).err;
    expect(await next()).toBe('Next: greenlight cancel spring-1 --all --reason "…"\n');
    expect(await next('c', 'd')).toBe('Next: greenlight cancel spring-1 c d --reason "…"\n');
  });

  test('of named rows leaves the others', async () => {
    const batchId = await place.scene.make(['a', 'b', 'c']);
    const { out } = await place.run(['cancel', batchId, 'b', 'b', '--reason', 'wrong logo']);
    expect(out).toContain('1 row of spring-1 canceled.');
    expect((await place.scene.row(batchId, 'b')).reason).toBe('wrong logo');
    expect((await place.scene.row(batchId, 'a')).state).toBe('planned');
  });

  test('of everything needs --all, or the name of the batch from somebody who sits there', async () => {
    const batchId = await place.scene.make(['a']);
    expect(await place.run(['cancel', batchId, '--reason', 'x'])).toMatchObject({ code: 2 });
    const refused = await place.run(['cancel', batchId, '--reason', 'x'], { tty: true, types: ['yes'] });
    expect(refused.code).toBe(3);
    expect((await place.scene.row(batchId, 'a')).state).toBe('planned');
    const typed = await place.run(['cancel', batchId, '--reason', 'x'], { tty: true, types: [batchId] });
    expect(typed.code).toBe(0);
    expect((await place.scene.row(batchId, 'a')).state).toBe('canceled');
    const again = await place.run(['cancel', batchId, '--all', '--reason', 'x']);
    expect(again.out).toMatch(/^As of \d\d:\d\d:\d\d; no row of spring-1 was left to cancel\.\n/);
  });

  test('without a reason, of an unknown row, and of rows beside --all, is refused', async () => {
    const batchId = await place.scene.make(['a']);
    for (const args of [['--all'], ['nope', '--reason', 'x'], ['a', '--all', '--reason', 'x']]) {
      expect((await place.run(['cancel', batchId, ...args])).code, args.join(' ')).toBe(2);
    }
    expect((await place.scene.row(batchId, 'a')).state).toBe('planned');
  });
});

describe('pause, resume, continue', () => {
  test('record the stop and end it', async () => {
    const batchId = await place.scene.make(['a']);
    const paused = await place.run(['pause', batchId, '--reason', 'wrong logo']);
    expect(paused.out).toContain('paused: no new orders');
    expect(paused.err).toContain('workers not notified yet');
    expect((await place.scene.batch(batchId)).stops.map(({ kind }) => kind)).toEqual(['paused']);
    const resumed = await place.run(['resume', batchId]);
    expect(resumed).toMatchObject({ code: 0, out: 'spring-1 resumed\n' });
    expect((await place.scene.batch(batchId)).stops).toEqual([]);
  });

  test('that end nothing say so', async () => {
    const batchId = await place.scene.make(['a']);
    await place.run(['pause', batchId]);
    expect((await place.run(['continue', batchId])).out).toMatch(
      /^spring-1 had nothing to continue from; nothing changed\npaused by /,
    );
    await place.run(['resume', batchId]);
    expect((await place.run(['resume', batchId])).out).toBe('spring-1 had nothing to resume from; nothing changed\n');
  });

  test('let a batch go on after its canary', async () => {
    const batchId = await place.scene.make(['a', 'b', 'c'], { settings: { canary: 1 } });
    await place.scene.deliver(batchId, 'a');
    expect(await place.scene.admit(batchId, 'b')).toMatchObject({ kind: 'blocked', reason: 'canary' });
    expect((await place.run(['continue', batchId])).code).toBe(0);
    expect(await place.scene.admit(batchId, 'b')).toMatchObject({ kind: 'send' });
  });

  test('of a batch that is not in progress are refused', async () => {
    const batchId = await place.scene.seal(['a']);
    const { err, code } = await place.run(['pause', batchId]);
    expect(err).toContain('Cannot pause spring-1: it is waiting');
    expect(code).toBe(3);
  });
});

describe('limits', () => {
  const wide = { columns: 300 };

  test('change while the batch runs, and are shown by it, by status and in the audit', async () => {
    const batchId = await place.scene.make(['a', 'b'], { settings: { maxInFlight: 2 } });
    await place.scene.order(batchId, 'a');
    await place.scene.order(batchId, 'b');
    const lowered = await place.run(['limits', batchId, '--max-in-flight', '1', '--reason', 'it is slow'], wide);
    expect(lowered.out).toBe(
      'spring-1: 1 in progress at most\nin progress now: 2; no new orders until fewer than 1 are\nall batches of the service: no limit\n',
    );
    expect(lowered.err).toContain('workers not notified yet');
    expect((await place.run(['status', batchId], wide)).out).toMatch(/limit +at most 1 in progress at once/);
    expect((await place.run(['audit'], wide)).out).toMatch(
      /limits +spring-1 +before 2, max in flight 1, reason: it is slow/,
    );
    const lifted = await place.run(['limits', batchId, '--max-in-flight', 'none', '--json']);
    expect(JSON.parse(lifted.out)).toEqual({
      ...{ batch: batchId, in_progress: 2, max_in_flight: null, service: null, workers: 100, before: 1, told: false },
    });
    const shown = await place.run(['limits', batchId], wide);
    expect(shown.out).toContain('spring-1: none of its own; workers allow 100 a batch');
    expect(shown.out).toContain('Next: greenlight limits spring-1 --max-in-flight <movies>');
  });

  test.each(['0', '-1', 'many', '1.5'])('%s is refused with what would be right', async (value) => {
    const { err, code } = await place.run(['limits', 'spring-1', `--max-in-flight=${value}`], wide);
    expect(err).toContain('it must be a whole number from 1, or none');
    expect(code).toBe(2);
  });
});

describe('retry, refetch and unknown', () => {
  test('retry plans the failed rows as a new batch', async () => {
    const batchId = await place.scene.make(['a', 'b']);
    await place.scene.deliver(batchId, 'b');
    await place.scene.order(batchId, 'a');
    await place.scene.look(batchId, 'a', 'failed', { error: { code: 'moderation', message: 'refused' } });
    const { out, code } = await place.run(['retry', batchId]);
    expect(out).toContain('spring-2 is planned from spring-1');
    expect(code).toBe(0);
    expect((await place.scene.batch('spring-2')).rowsInSheet).toBe(1);
    expect(await place.run(['retry', batchId, 'b'])).toMatchObject({ code: 3 });
  });

  test('an unknown order is listed with what it holds, and resolved by what became of it', async () => {
    const batchId = await place.scene.make(['a']);
    await place.scene.admit(batchId, 'a');
    await place.scene.answer(batchId, 'a', { kind: 'broken' });
    const listed = await place.run(['unknown', 'list'], { columns: 160 });
    expect(listed.out).toMatch(/spring-1 +a +1\.00 USD/);
    expect(await place.run(['unknown', 'resolve', batchId, 'a'])).toMatchObject({ code: 2 });
    expect(await place.run(['unknown', 'resolve', batchId, 'a', '--not-created'])).toMatchObject({ code: 2 });
    expect(await place.run(['unknown', 'resolve', batchId, 'a', '--resend'])).toMatchObject({ code: 3 });
    expect((await place.scene.row(batchId, 'a')).state).toBe('unknown');
    // Nobody is believed without the service, and the home's own studio is not running here.
    const unasked = await place.run(['unknown', 'resolve', batchId, 'a', '--created', 'movie_8Fk2']);
    expect(unasked.err).toContain('it is not running');
    expect(unasked.code).not.toBe(0);
    expect((await place.scene.row(batchId, 'a')).state).toBe('unknown');
    const evidence = ['--evidence', 'their support says so'];
    const resolved = await place.run(['unknown', 'resolve', batchId, 'a', '--not-created', ...evidence]);
    expect(resolved.out).toContain('no movie was created');
    expect((await place.scene.row(batchId, 'a')).state).toBe('canceled');
    expect((await place.run(['unknown', 'list'])).err).toContain('No unknown orders');
  });
});

test.each([
  ['cancel', ['--reason', 'no']],
  ['cancel', ['--preview']],
  ['retry', []],
  ['refetch', []],
])('%s of an id that the batch does not have does nothing and is wrong usage (%j)', async (command, flags) => {
  const batchId = await place.scene.make(['a']);
  await place.scene.deliver(batchId, 'a');
  const { err, out, code } = await place.run([command, batchId, 'a', 'nope', ...flags]);
  expect(err).toContain('Cannot find row nope');
  expect(out).toBe('');
  expect(code).toBe(2);
});

describe('budget', () => {
  test('keeps the limits of real money and of rehearsals apart, and shows which is which', async () => {
    const set = await place.run(['budget', 'set', 'acme/emea', '500USD']);
    expect(set.out).toMatch(/acme\/emea +500\.00 +0\.00 +0\.00 +500\.00 USD +rehearsal\n/);
    const env = { MOVIE_API_URL: 'https://movies.example/v1', MOVIE_API_KEY: 'key' };
    await place.run(['budget', 'set', 'acme/emea', '90USD'], { env });
    await place.run(['budget', 'set', 'other', '70USD', '--real']);
    await place.run(['budget', 'set', 'other', '60USD', '--rehearsal'], { env });
    const listed = JSON.parse((await place.run(['budget', 'list', '--json'])).out);
    expect(
      listed.map(({ path, rehearsal, limit_minor }: Record<string, unknown>) => [path, rehearsal, limit_minor]),
    ).toEqual([
      ['acme/emea', false, 9_000],
      ['other', false, 7_000],
      ['acme', true, 1_000],
      ['acme/emea', true, 50_000],
      ['other', true, 6_000],
    ]);
    const shown = await place.run(['budget', 'show', 'other']);
    expect(shown.out).toMatch(/other +70\.00 .* 70\.00 USD\nother +60\.00 .* 60\.00 USD +rehearsal\n/);
    expect(JSON.parse((await place.run(['budget', 'show', 'other', '--json'])).out)).toMatchObject({ rehearsal: true });
    expect(JSON.parse((await place.run(['budget', 'show', 'other', '--json'], { env })).out)).toMatchObject({
      rehearsal: false,
    });
    expect(await place.run(['budget', 'set', 'other', '1USD', '--real', '--rehearsal'])).toMatchObject({ code: 2 });
  });

  test('says when the share of a limit is passed that somebody wants to hear of', async () => {
    await place.run(['budget', 'set', 'acme', '2USD', '--notify', '50']);
    const before = (await place.run(['budget', 'list'])).out;
    expect(before).toContain('rehearsal, notifies at 50 %');
    expect(before).not.toContain('over 50 %');
    await place.scene.make(['a']);
    expect((await place.run(['budget', 'list'])).out).toContain('rehearsal, over 50 %');
    const [level] = JSON.parse((await place.run(['budget', 'list', '--json'])).out);
    expect(level).toMatchObject({ notify_percent: 50, notified_at: expect.stringMatching(/^2\d{3}-/) });
  });

  test('sets, shows, stops and starts a level', async () => {
    const set = await place.run(['budget', 'set', 'acme/emea', '500USD']);
    expect(set.out).toMatch(/acme\/emea +500\.00 +0\.00 +0\.00 +500\.00 USD/);
    expect((await place.run(['budget', 'stop', 'acme', '--reason', 'over forecast'])).out).toContain('stopped');
    expect((await place.run(['budget', 'start', 'acme'])).out).not.toContain('stopped');
    const listed = JSON.parse((await place.run(['budget', 'list', '--json'])).out);
    expect(listed.map(({ path }: { path: string }) => path)).toEqual(['acme', 'acme/emea']);
  });

  test.each(['500', 'USD', '-5USD', '5.001USD', '1,00USD'])('refuses the limit %j', async (limit) => {
    const { err, code } = await place.run(['budget', 'set', 'acme', limit]);
    expect(err).toMatch(/e\.g\. 500USD|unknown option/);
    expect(code).toBe(2);
  });
});

describe('people and policy', () => {
  test('once somebody is registered, the terminal needs their token, and who submits does not approve', async () => {
    const first = await place.run(['people', 'add', 'ada', '--role', 'admin', '--role', 'finance']);
    const token = first.out.trim();
    expect(token).toMatch(/^glt_/);
    const batchId = await place.scene.seal(['a']);
    expect(await place.run(['approve', batchId, '--yes'])).toMatchObject({ code: 3 });
    const wrong = await place.run(['approve', batchId, '--yes'], { env: { GREENLIGHT_TOKEN: 'glt_wrong' } });
    expect(wrong.err).toContain('not the token of a registered person');
    const right = await place.run(['approve', batchId, '--yes'], { env: { GREENLIGHT_TOKEN: token } });
    expect(right.out).toContain('by ada');
    expect(right.out).not.toContain('self-approved');
    expect((await place.run(['people', 'list'])).out).toMatch(/ada +admin, finance/);
  });

  test('a rule is changed by name, and others are named when there is none', async () => {
    expect((await place.run(['policy', 'set', 'approve-below', '50USD'])).out).toContain('50.00 USD (was none)');
    expect((await place.run(['policy'])).out).toMatch(/approve-below +50\.00 USD/);
    expect(await place.run(['policy', 'set', 'approve-below', 'much'])).toMatchObject({ code: 2 });
    const { err, code } = await place.run(['policy', 'set', 'aprove-below', '50USD'], { columns: 400 });
    expect(err).toContain('approve-below');
    expect(code).toBe(2);
  });
});

describe('spend and audit', () => {
  test('spend sums what was posted, and says that a rehearsal is one', async () => {
    const batchId = await place.scene.make(['a', 'b']);
    await place.scene.deliver(batchId, 'a');
    const { out } = await place.run(['spend', '--by', 'batch'], { columns: 100 });
    expect(out).toMatch(/spring-1 +1 +1\.00 +0\.00 +0\.00 +1\.00 USD \(rehearsal\) +#+/);
    const csv = await place.run(['spend', '--csv']);
    expect(csv.out).toBe(
      'campaign,movies,posted,refunded,corrected,spent,currency,note\r\nspring,1,1.00,0.00,0.00,1.00,USD,rehearsal\r\n',
    );
    const [sum] = JSON.parse((await place.run(['spend', '--json'])).out);
    expect(sum).toMatchObject({ group: 'spring', posted_minor: 100, spent_minor: 100 });
  });

  test('audit names who did what, and verifies chain and counters', async () => {
    const batchId = await place.scene.make(['a']);
    await place.scene.deliver(batchId, 'a');
    const { out } = await place.run(['audit', 'list', '--of', batchId, '--json']);
    const acts = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).act);
    expect(acts).toContain('approve');
    const { out: words, err } = await place.run(['audit', '--limit', '2'], { tty: true, columns: 300 });
    expect(words).toMatch(/fay +approve +spring-1 +.*total 1\.00 USD/);
    expect(err).toBe('Next: greenlight audit list --limit 4, or greenlight audit verify\n');
    const sound = await place.run(['audit', 'verify']);
    expect(sound.out).toMatch(/chain verified to \d+.*\nmoney adds up/);
    expect(sound.code).toBe(0);
    await place.ledger.db.updateTable('batches').set({ posted_minor: 1 }).where('batch_id', '=', batchId).execute();
    const broken = await place.run(['audit', 'verify']);
    expect(broken.out).toContain('batch spring-1: posted');
    expect(broken.code).toBe(1);
    expect(JSON.parse((await place.run(['audit', 'verify', '--json'])).out)).toMatchObject({
      faults: [],
      late_movies: [],
    });
  });

  test('books that do not add up are said at the start of run and worker, sound ones are not', async () => {
    const batchId = await place.scene.make(['a']);
    const sound = place.context({});
    await warnCounterMismatch(sound, place);
    expect(sound.stderr.text).toBe('');
    await place.ledger.db.updateTable('batches').set({ held_minor: 7 }).where('batch_id', '=', batchId).execute();
    const broken = place.context({});
    await warnCounterMismatch(broken, place);
    expect(broken.stderr.text).toContain('batch spring-1: held is 7, its entries say 0 (minor units)');
    expect(broken.stderr.text).toContain('greenlight audit verify');
  });

  test('audit verify names orders that must not stand as they do', async () => {
    const batchId = await place.scene.make(['a']);
    await place.scene.deliver(batchId, 'a');
    await place.ledger.db.updateTable('orders').set({ money: 'held' }).where('batch_id', '=', batchId).execute();
    const broken = await place.run(['audit', 'verify']);
    expect(broken.out).toContain('spring-1 a: hold on terminal row: attempt 1 is held, the row is delivered');
    expect(broken.err).toContain('stop ordering until');
    expect(broken.code).toBe(1);
  });

  test('audit verify compares the ledger with the certificates and marks of its archive', async () => {
    const batchId = await place.scene.make(['a']);
    await place.scene.deliver(batchId, 'a');
    await settleBatch(place.ledger, { batchId, nowMs: Date.now() });
    await place.run(['results', batchId]);
    const service = { name: 'studio', baseUrl: 'embedded' };
    await createArchiveMarks(createFileNotes(join(place.folder, 'out'))).write({
      ...(await ledgerMark(place.ledger)),
      service,
    });
    const sound = await place.run(['audit', 'verify']);
    expect(sound.out).toContain('compared with 1 mark and 1 certificate of the archive');
    expect(sound.code).toBe(0);

    const { db } = place.ledger;
    await sql.raw('drop trigger audit_no_delete').execute(db);
    const records = await db.selectFrom('audit').select(['seq', 'hash']).orderBy('seq').execute();
    await db.deleteFrom('audit').where('seq', '=', records.length).execute();
    const head = records.at(-2)?.hash ?? '';
    await db
      .updateTable('ledger')
      .set({ audit_length: records.length - 1, audit_head: head })
      .execute();
    const cut = await place.run(['audit', 'verify']);
    expect(cut.out).toContain(`chain verified to ${records.length - 1}`);
    expect(cut.out).toContain(
      `audit: audit cut: by the certificate of spring-1 it has ${records.length} records or more`,
    );
    expect(cut.out).toContain(`audit: audit cut: by the archive's mark for studio it has ${records.length} records`);
    expect(cut.out).toContain('spring-1: end without record: state is closed, its record says nothing');
    expect(cut.code).toBe(1);
    const { faults, outside } = JSON.parse((await place.run(['audit', 'verify', '--json'])).out);
    expect(outside).toEqual({ marks: 1, certificates: 1 });
    expect(faults).toContainEqual(expect.objectContaining({ kind: 'audit_cut', of: 'audit', batch: null, id: null }));
  });
});
