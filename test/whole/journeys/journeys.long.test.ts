import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../../home/free-port.js';
import { makeHome } from '../home.js';
import { apiKey, serveMovies, serviceAt } from '../service.js';
import { Journey } from './window.js';

const timeout = 8 * 60_000;

const team = `id,prompt,duration_seconds,aspect_ratio,title
this-is-one-of-those-ids-that-a-tool-made-and-it-has-64-columns,"Eine Läuferin im Morgengrauen",5,16:9,映画を作る
rtl-1,"חתול הולך ברחוב בשקט",5,1:1,חתול
wide-1,"映画を作る映画を作る映画を作る映画を作る映画を作る映画を作る映画を作る映画を作る",5,9:16,映画
`;

const weather = `id,prompt,duration_seconds,aspect_ratio
calm,"A calm sea",5,16:9
storm,"A storm at sea",5,1:1
late,"A late ferry",5,1:1
`;
const faults = 'rules:\n  - { effect: fail, prompt: storm, code: moderation, message: refused }\n';

/** How the other company runs its service: a process of its own. */
function studioOf(port: number): string {
  return `greenlight studio --port ${port} --api-key ${apiKey} --render stub --job-seconds 20 --faults faults.yaml`;
}

test('the campaign team: from a template to films', { timeout }, async () => {
  const { folder } = await makeHome();
  const journey = new Journey();
  journey.know('greenlight --help', 'team.csv', '500USD');
  const terminal = await journey.open({ folder });
  await terminal.run('greenlight --help');
  await terminal.run('greenlight template team.csv');
  await writeFile(join(folder, 'team.csv'), team);
  expect(await terminal.run('greenlight check team.csv')).toContain('greenlight plan team.csv');
  journey.know('--budget');
  expect(await terminal.run('greenlight plan team.csv --budget 500USD')).toContain('Next: greenlight run team.csv');
  await terminal.start('greenlight run team.csv --budget 500USD');
  const asked = await terminal.until(/Type the amount to confirm/);
  const [, price = ''] = /Order 3 movies for ([\d.]+) USD/.exec(asked) ?? [];
  const ended = await terminal.answer(price);
  expect(ended).toContain('team-1 finished in');
  expect(ended).toContain('next: greenlight open team-1, or greenlight bundle team-1 --zip');
  journey.know('--rows', 'rtl-1');
  const rows = await terminal.run('greenlight status team-1 --rows');
  expect(rows).toContain('this-is-one-of-those-ids-that-a-tool-made-and-it-has-64-columns');
  await terminal.run('greenlight show team-1 rtl-1');
  await terminal.run('greenlight logs team-1');
  await terminal.run('greenlight open team-1');
  await terminal.run('greenlight bundle team-1 --zip');
});

test('an operator: no worker, the service away, failed rows, a cancel', { timeout }, async () => {
  const { folder } = await makeHome();
  const port = await freePort();
  const env = serviceAt(port);
  const journey = new Journey();
  journey.know('greenlight --help', 'sheet.csv', '--budget', '20USD', '--wait', '--all', '--reason', studioOf(port));
  await writeFile(join(folder, 'faults.yaml'), faults);
  await writeFile(join(folder, 'sheet.csv'), weather);
  const open = () => journey.open({ folder, env });
  const [one, two, service] = [await open(), await open(), await open()];
  await one.run('greenlight --help');
  await one.start('greenlight submit sheet.csv --budget 20USD --wait');
  await one.until(/No price yet: no worker is running; next: greenlight worker/);
  expect(await two.run('greenlight status')).toContain('no worker is running');
  expect(await two.run('greenlight worker')).toMatch(/Cannot reach the movie service: no connection to/);
  const three = await open();
  expect(await three.run('greenlight doctor')).toMatch(/FAIL +movie service/);
  await service.start(studioOf(port));
  await service.until(/127\.0\.0\.1/);
  await two.start('greenlight worker');
  await one.until(/waits for approval/);
  expect(await one.interrupt()).toContain('Detached; the batch continues');
  await one.start('greenlight approve sheet-1');
  const [, price = ''] = /Order 3 movies for ([\d.]+) USD/.exec(await one.until(/Type the amount/)) ?? [];
  await one.answer(price);
  await two.until(/sheet-1 late ordered/);
  await service.interrupt();
  // One line a reason, whichever row was looked at first.
  const waits = await two.until(/sheet-1 \w+ waits: the service cannot be reached/);
  const [, row = ''] = /sheet-1 (\w+) waits/.exec(waits) ?? [];
  const since =
    /in progress \d: the service cannot be reached: no connection to \S+ \(ECONNREFUSED\) since \d\d:\d\d:\d\d, retried automatically/;
  const away = (await three.run('greenlight status sheet-1')).replace(/\s+/g, ' ');
  expect(away).toMatch(since);
  journey.know(row);
  expect((await three.run(`greenlight show sheet-1 ${row}`)).replace(/\s+/g, ' ')).toMatch(since);
  await service.start(studioOf(port));
  await one.start('greenlight status sheet-1 --watch');
  await one.until(/finished in .*: 2 of 3 rows delivered, 1 failed/);
  await one.until(/\]>$/);
  const stopped = await two.interrupt();
  expect(stopped).toMatch(/sheet-1 storm failed: moderation: refused/);
  expect(stopped).toMatch(/sheet-1 calm delivered/);
  await one.run('greenlight status sheet-1');
  const retried = await one.run('greenlight retry sheet-1');
  expect(retried.replace(/\s+/g, ' ')).toContain('Next: greenlight worker');
  await one.run('greenlight status sheet-2');
  expect(await one.run('greenlight cancel sheet-2 --all --reason "not needed"')).toContain('canceled');
  await service.interrupt();
});

test('finance: from a plan to an invoice', { timeout }, async () => {
  const home = await makeHome();
  const { folder } = home;
  const service = await serveMovies({ apiKeys: [apiKey] });
  const env = serviceAt(service.port);
  const journey = new Journey();
  journey.know('greenlight --help', 'people', 'add', 'ada', 'dana', 'sam', '--role', 'admin', 'finance', 'submitter');
  journey.know('budget', 'set', 'acme', '100USD', 'list', 'reconcile', 'invoice.csv', '--preview', 'spend', 'verify');
  await writeFile(join(folder, 'sheet.csv'), 'id,prompt,duration_seconds,aspect_ratio\ncalm,"A calm sea",5,16:9\n');
  const start = await journey.open({ folder, env });
  await start.run('greenlight --help');
  const tokenIn = (text: string) => /glt_\S+/.exec(text)?.[0] ?? '';
  const admin = tokenIn((await home.run(['people', 'add', 'ada', '--role', 'admin'], env)).stdout);
  const add = async (name: string, role: string) =>
    tokenIn((await home.run(['people', 'add', name, '--role', role], { ...env, GREENLIGHT_TOKEN: admin })).stdout);
  const [dana, sam] = [await add('dana', 'finance'), await add('sam', 'submitter')];
  const finance = await journey.open({ folder, env: { ...env, GREENLIGHT_TOKEN: dana } });
  await finance.run('greenlight budget set acme 100USD');
  const worker = home.start(['worker'], { ...env, GREENLIGHT_TOKEN: sam });
  const submitted = await home.run(['submit', 'sheet.csv', '--budget', 'acme'], { ...env, GREENLIGHT_TOKEN: sam });
  expect(submitted.stdout, submitted.stderr).toContain('Next, by dana (finance): greenlight approve sheet-1 --digest');
  const list = await finance.run('greenlight status');
  const [, command = ''] = /(greenlight approve sheet-1 --digest \w{12})/.exec(list.replace(/\s+/g, ' ')) ?? [];
  await finance.start(command);
  const plan = await finance.until(/Type the amount/);
  expect(plan).toMatch(/from sheet.csv, 1 row, by sam at .* ago/);
  expect(plan.replace(/\s+/g, ' ')).toContain('assumed: a movie that fails or is canceled is charged');
  const [, price = ''] = /Order 1 movie for ([\d.]+) USD/.exec(plan) ?? [];
  await finance.answer(price);
  await home.until(worker, ({ state }) => state === 'closed');
  await finance.run('greenlight status sheet-1');
  await finance.run('greenlight budget list');
  await finance.run('greenlight spend');
  const [movie] = service.studio.books().movies;
  await writeFile(join(folder, 'invoice.csv'), `movie_id,amount,currency\n${movie?.movieId},${price},USD\n`);
  expect(await finance.run('greenlight reconcile invoice.csv --preview')).toContain('invoice');
  await finance.run('greenlight reconcile invoice.csv');
  await finance.run('greenlight audit verify');
  worker.signal('SIGTERM');
  await worker.ended;
});

test('a submitter who may not approve: from a sheet to somebody else’s yes', { timeout }, async () => {
  const home = await makeHome();
  const { folder } = home;
  const journey = new Journey();
  journey.know('greenlight --help', 'team.csv', '--budget', 'acme', 'submit', 'status');
  await writeFile(join(folder, 'team.csv'), team);
  const tokenIn = (text: string) => /glt_\S+/.exec(text)?.[0] ?? '';
  const admin = tokenIn((await home.run(['people', 'add', 'ada', '--role', 'admin'])).stdout);
  const add = async (name: string, role: string) =>
    tokenIn((await home.run(['people', 'add', name, '--role', role], { GREENLIGHT_TOKEN: admin })).stdout);
  const [dana, sam] = [await add('dana', 'finance'), await add('sam', 'submitter')];
  await home.run(['budget', 'set', 'acme', '100USD'], { GREENLIGHT_TOKEN: dana });
  const worker = home.start(['worker'], { GREENLIGHT_TOKEN: sam });
  const terminal = await journey.open({ folder, env: { GREENLIGHT_TOKEN: sam } });
  await terminal.run('greenlight --help');
  await terminal.run('greenlight check team.csv');
  const wanted = /Next, by dana \(finance\): (greenlight approve team-1 --digest \w{12})/;
  const submitted = (await terminal.run('greenlight submit team.csv --budget acme')).replace(/\s+/g, ' ');
  const [, command = ''] = wanted.exec(submitted) ?? [];
  // Typed all the same, it asks for no amount.
  const refused = (await terminal.run(command)).replace(/\s+/g, ' ');
  expect(refused).toContain('Nothing is ordered: sam may not approve it. team-1 waits.');
  expect(refused).toMatch(wanted);
  expect((await terminal.run('greenlight status')).replace(/\s+/g, ' ')).toContain(`dana (finance): ${command}`);
  const words = command.split(' ').slice(1);
  const approved = await home.run([...words, '--yes'], { GREENLIGHT_TOKEN: dana });
  expect(approved.code, approved.stderr).toBe(0);
  await home.until(worker, ({ state }) => state === 'closed');
  await terminal.run('greenlight status team-1');
  await terminal.run('greenlight logs team-1');
  await terminal.run('greenlight bundle team-1 --zip');
  worker.signal('SIGTERM');
  await worker.ended;
});
