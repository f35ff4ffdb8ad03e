import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../../ledger', import.meta.url));

/** What in the code lets money be spent: an approval, and a send that may be billed beside an earlier one. */
const spending = [/\bdecide\(tx/, /\bcommit\(tx/, /resend: 1\b/];
/** `record-approval` is the act itself, called only from behind the guard; `record-answer` keeps a permission that was given. */
const acts = ['record-approval.ts', 'record-answer.ts'];

function opensWithoutGuard(file: string, source: string): boolean {
  if (acts.includes(basename(file)) || basename(file) === 'movements.ts') return false;
  return spending.some((door) => door.test(source)) && !/from '[./a-z]*\/four-eyes\.js'/.test(source);
}

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name: basename(name), source: readFileSync(join(folder, name), 'utf8') }));

test('every door that can start spending asks for a second pair of eyes', () => {
  const doors = files.filter(({ name, source }) => !acts.includes(name) && spending.some((door) => door.test(source)));
  expect(doors.map(({ name }) => name).toSorted()).toEqual([
    'decisions.ts',
    'policy-approval.ts',
    'resolve-unknown.ts',
  ]);
  expect(files.filter(({ name, source }) => opensWithoutGuard(name, source)).map(({ name }) => name)).toEqual([]);
});

test('a new door without the guard is found', () => {
  const door = "import { decide } from './decide.js';\nawait decide(tx, batch, { actor, selfApproved: false, nowMs });";
  expect(opensWithoutGuard('ledger/back-door.ts', door)).toBe(true);
  expect(opensWithoutGuard('ledger/front-door.ts', `import { mayOpen } from './four-eyes.js';\n${door}`)).toBe(false);
});
