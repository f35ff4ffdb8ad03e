import { expect, test } from 'vitest';
import { batchStates, openBatchStates } from '../../../domain/batch-state.js';
import { rowStates } from '../../../domain/row-state.js';
import type { BatchView } from '../../../ledger/batches/batches.js';
import { endSentence } from '../../../reports/wording/batch-words.js';
import { namesOf, nextApprovalWords } from '../../../reports/wording/decision-words.js';
import { type EndedFacts, nextOfRow, nextSteps } from '../../../reports/wording/next-steps.js';
import {
  batchStateWords,
  countsOf,
  countWords,
  rowStateWords,
  statesOfWord,
  totalOf,
} from '../../../reports/wording/state-words.js';

test('no state of a screen is a word that readers stumbled over', () => {
  const said = [...Object.values(batchStateWords), ...Object.values(rowStateWords)];
  for (const odd of ['making', 'left out', 'open elsewhere', 'unsettled']) expect(said).not.toContain(odd);
});

test('rows that the batch orders are summed, and those that it does not are said beside them', () => {
  const counts = { planned: 1, blocked: 2, ordering: 1, running: 3, delivered: 4, unchanged: 5, left_out: 1 };
  expect(countWords(counts)).toBe('delivered 4  in progress 4  waiting 3  already delivered 5  excluded 1');
  expect(totalOf(countsOf(counts))).toBe(11);
  expect(countWords({})).toBe('none');
});

test('a state is understood as the screen writes it, and as programs do', () => {
  expect(statesOfWord('in progress')).toEqual(['running']);
  expect(statesOfWord('waiting')).toEqual(['planned', 'blocked']);
  expect(statesOfWord('In another batch')).toEqual(['open_elsewhere']);
  for (const state of rowStates) expect(statesOfWord(state)).toContain(state);
  expect(statesOfWord('done')).toEqual([]);
});

test('the next step after a plan names who may take it', () => {
  const batch = { batchId: 'spring-1', planDigest: '7f3a91c044d2aaaa' };
  expect(nextApprovalWords(batch, { isActor: true, others: ['lee'], shortBudget: null })).toBe(
    'Next: greenlight approve spring-1 --digest 7f3a91c044d2',
  );
  expect(nextApprovalWords(batch, { isActor: false, others: [], shortBudget: null })).toContain(
    'people add <name> --role finance',
  );
  expect(namesOf(['a', 'b', 'c', 'd', 'e'])).toBe('a or b or c or 2 more');
});

test('a batch that ordered nothing says so, and where its rows are', () => {
  const ended = { rowsToOrder: 0, archivedAtMs: null, submittedAtMs: 0, settledAtMs: 0, decision: null };
  const words = (state: 'closed' | 'canceled', counts: Parameters<typeof endSentence>[0]['counts']) =>
    endSentence({ batch: { ...ended, state } as BatchView, counts }); // what the sentence reads
  expect(words('closed', { unchanged: 3, left_out: 1 })).toBe(
    'nothing to order: 3 already delivered, 1 excluded (see plan)',
  );
  expect(words('closed', {})).toBe('nothing to order');
  expect(words('canceled', { canceled: 2 })).toMatch(/^canceled after .*: 0 of 0 rows delivered, 2 canceled$/);
  expect(words('canceled', { delivered: 1_000, canceled: 2_000 })).toMatch(/: 1,000 of 0 rows .*, 2,000 canceled$/);
});

test('every batch that has ended, and every row, has a next step', () => {
  const batch = { batchId: 'spring-2', campaign: 'spring', manifestName: 'Spring 26.csv', archivedAtMs: null };
  const money = { currency: 'USD' } as BatchView['money']; // what a price is written by
  const steps = (one: Pick<EndedFacts['batch'], 'state' | 'rowsToOrder'>, counts: EndedFacts['counts']) =>
    nextSteps({ batch: { ...batch, money, ...one }, counts, againMinor: null });
  const ended = batchStates.filter((state) => !openBatchStates.some((open) => open === state));
  for (const state of ended) expect(steps({ state, rowsToOrder: 1 }, { delivered: 1 }), state).not.toEqual([]);
  expect(steps({ state: 'expired', rowsToOrder: 1 }, {})).toEqual(['again: greenlight plan "Spring 26.csv"']);
  const nothing = { state: 'closed', rowsToOrder: 0 } as const;
  expect(steps(nothing, { unchanged: 2 })).toEqual(['all films of spring: greenlight bundle spring']);
  expect(steps(nothing, { left_out: 2 })).toEqual(['why: greenlight status spring-2 --rows']);
  const row = { rowKey: 'a', classDetail: null };
  for (const state of rowStates) expect(nextOfRow({ ...batch, state: 'making' }, { ...row, state })).not.toBe('');
  expect(nextOfRow({ ...batch, state: 'refused' }, { ...row, state: 'planned' })).toBe(
    'greenlight plan "Spring 26.csv"',
  );
  const before = { rowKey: 'a', state: 'unchanged', classDetail: { batchId: 'spring-1' } } as const;
  expect(nextOfRow({ ...batch, state: 'closed' }, before)).toBe('greenlight open spring-1');
});
