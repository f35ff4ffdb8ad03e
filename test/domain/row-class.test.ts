import { describe, expect, test } from 'vitest';
import { changedFields } from '../../domain/brief-changes.js';
import type { Brief } from '../../domain/brief.js';
import { type ClassRules, classifyRow, type PaidAttempt, type RowHistory } from '../../domain/row-class.js';

const rules: ClassRules = { include: [], respend: false, allowDuplicates: false };
const nothing: RowHistory = { paid: [], open: null, elsewhere: null };

function paid(state: string, contentDigest: string, attempt = 1): PaidAttempt {
  return { attempt, batchId: `spring-${attempt}`, contentDigest, state };
}

function classOf(history: Partial<RowHistory>, over: Partial<ClassRules> = {}) {
  const { class: rowClass, ordered } = classifyRow('A', { ...nothing, ...history }, { ...rules, ...over });
  return `${rowClass} ${ordered ? 'ordered' : 'not ordered'}`;
}

describe('classes of a row', () => {
  test('a key without history is new', () => {
    expect(classOf({})).toBe('new ordered');
  });

  test('delivered with the same content is unchanged, whatever came after it', () => {
    expect(classOf({ paid: [paid('delivered', 'A')] })).toBe('unchanged not ordered');
    expect(classOf({ paid: [paid('delivered', 'A'), paid('failed', 'A', 2)] })).toBe('unchanged not ordered');
    expect(classOf({ paid: [paid('delivered', 'A'), paid('delivered', 'B', 2)] })).toBe('unchanged not ordered');
    expect(
      classOf({ paid: [paid('delivered', 'A')] }, { respend: true, include: ['failed', 'canceled', 'lost'] }),
    ).toBe('unchanged not ordered');
  });

  test('delivered and marked redo is ordered again where that is asked for, and unchanged where it is not', () => {
    const marked = { ...paid('delivered', 'A'), redo: true };
    expect(classOf({ paid: [marked] })).toBe('unchanged not ordered');
    expect(classOf({ paid: [marked] }, { include: ['failed'] })).toBe('unchanged not ordered');
    expect(classOf({ paid: [marked] }, { include: ['redo'] })).toBe('redo ordered');
    expect(classOf({ paid: [paid('delivered', 'A')] }, { include: ['redo'] })).toBe('unchanged not ordered');
    const again = (state: string) => ({ paid: [marked, paid(state, 'A', 2)] });
    expect(classOf(again('delivered'), { include: ['redo'] })).toBe('unchanged not ordered');
    expect(classOf(again('failed'), { include: ['redo'] })).toBe('failed_before not ordered');
    expect(classOf(again('unknown'), { include: ['redo'] })).toBe('unknown not ordered');
    const open = { batchId: 'spring-2', contentDigest: 'A', state: 'running' };
    expect(classOf({ paid: [marked], open }, { include: ['redo'] })).toBe('open not ordered');
    expect(classOf({ paid: [{ ...marked, contentDigest: 'B' }] }, { include: ['redo'] })).toBe('respend not ordered');
  });

  test('open in another batch is left there, and refused with other content', () => {
    const open = (contentDigest: string) => ({ open: { batchId: 'spring-1', contentDigest, state: 'running' } });
    expect(classOf(open('A'))).toBe('open not ordered');
    expect(classOf(open('B'))).toBe('open_changed not ordered');
    expect(classOf(open('B'), { respend: true })).toBe('open_changed not ordered');
  });

  test.each(['failed', 'canceled', 'lost'] as const)(
    '%s before with the same content needs to be included',
    (state) => {
      expect(classOf({ paid: [paid(state, 'A')] })).toBe('failed_before not ordered');
      expect(classOf({ paid: [paid(state, 'A')] }, { include: [state] })).toBe('failed_before ordered');
      const other = state === 'failed' ? 'lost' : 'failed';
      expect(classOf({ paid: [paid(state, 'A')] }, { include: [other] })).toBe('failed_before not ordered');
    },
  );

  test('paid with other content is a respend, refused until asked for', () => {
    expect(classOf({ paid: [paid('delivered', 'B')] })).toBe('respend not ordered');
    expect(classOf({ paid: [paid('delivered', 'B')] }, { respend: true })).toBe('respend ordered');
    expect(classOf({ paid: [paid('failed', 'B')] }, { include: ['failed'] })).toBe('respend not ordered');
  });

  test('an unknown order bars its key, whatever the content and the settings', () => {
    const all: ClassRules = { include: ['failed', 'canceled', 'lost'], respend: true, allowDuplicates: true };
    expect(classOf({ paid: [paid('unknown', 'A')] }, all)).toBe('unknown not ordered');
    expect(classOf({ paid: [paid('unknown', 'B')] }, all)).toBe('unknown not ordered');
  });

  test('the same content paid or open under another key may be a renamed row', () => {
    for (const elsewhere of [
      { batchId: 'spring-1', rowKey: 'old' },
      { batchId: 'spring-1', rowKey: 'old', state: 'open' as const },
    ]) {
      expect(classOf({ elsewhere })).toBe('duplicate not ordered');
      expect(classOf({ elsewhere }, { allowDuplicates: true })).toBe('duplicate ordered');
      expect(classOf({ paid: [paid('delivered', 'A')], elsewhere })).toBe('unchanged not ordered');
    }
  });

  test('the same content recovered from the archive is left out unless asked for, whatever the books have paid', () => {
    const elsewhere = { batchId: 'spring-9', rowKey: 'a', state: 'recovered' } as const;
    const all = { include: ['failed', 'canceled', 'lost', 'redo'], respend: true } as const;
    for (const history of [
      [],
      [paid('failed', 'A')],
      [paid('delivered', 'B')],
      [{ ...paid('delivered', 'A'), redo: true }],
    ]) {
      expect(classOf({ elsewhere, paid: history }, all)).toBe('duplicate not ordered');
      expect(classOf({ elsewhere, paid: history }, { ...all, allowDuplicates: true })).toBe('duplicate ordered');
    }
    expect(classOf({ elsewhere, paid: [paid('delivered', 'A')] })).toBe('unchanged not ordered');
    expect(classOf({ elsewhere, paid: [paid('unknown', 'A')] })).toBe('unknown not ordered');
    const open = { batchId: 'spring-2', contentDigest: 'A', state: 'running' };
    expect(classOf({ elsewhere, open })).toBe('open not ordered');
  });

  test('a class says which batch it speaks of', () => {
    const history = { ...nothing, paid: [paid('delivered', 'B', 1), paid('delivered', 'C', 4)] };
    expect(classifyRow('A', history, rules).of).toEqual({ batchId: 'spring-4', state: 'delivered' });
  });
});

describe('what changed in a brief', () => {
  const before: Brief = {
    ...{ rowKey: 'a', prompt: 'A runner at dawn', durationSeconds: 20, aspectRatio: '16:9', style: null },
    references: [
      { source: { kind: 'file', path: 'a.png', sha256: 'aa', sizeBytes: 3 }, role: 'product', description: null },
    ],
  };
  const [reference] = before.references;

  test('names the fields that make another movie', () => {
    expect(changedFields(before, before)).toEqual([]);
    expect(changedFields(before, { ...before, prompt: 'A runner at dusk', style: 'warm' })).toEqual([
      'prompt',
      'style',
    ]);
    expect(changedFields(before, { ...before, durationSeconds: 21 })).toEqual(['duration_seconds']);
    expect(changedFields(before, { ...before, references: [] })).toEqual(['references']);
  });

  test('a file that moved is the same reference', () => {
    const moved = { kind: 'file', path: 'b.png', sha256: 'aa', sizeBytes: 3 } as const;
    if (!reference) throw new Error('the brief has a reference');
    expect(changedFields(before, { ...before, references: [{ ...reference, source: moved }] })).toEqual([]);
  });
});
