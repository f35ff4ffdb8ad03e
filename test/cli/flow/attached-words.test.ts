import { expect, test } from 'vitest';
import { attachedWords } from '../../../cli/flow/attached-words.js';
import { plainSettings } from '../../ledger/scene.js';

test('a sheet that joins an open batch says so, and which of its settings do not count', () => {
  const batch = { batchId: 'spring-1', settings: plainSettings };
  expect(attachedWords(batch, plainSettings)).toBe('spring-1 continues: it has exactly these rows');
  expect(attachedWords(batch, { ...plainSettings, tolerance: 7, maxInFlight: 1 })).toBe(
    'spring-1 continues: it has exactly these rows and keeps the settings it was submitted with: ' +
      'tolerance, in-flight limit',
  );
});
