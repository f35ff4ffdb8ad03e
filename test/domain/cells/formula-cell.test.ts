import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { neutraliseFormula, restoreFormula } from '../../../domain/cells/formula-cell.js';

describe('formula cells', () => {
  test.each(['=2+3', '+50% off', '-close up', '@brand', '\t=1', '\r=1', '\n=1', '＝2', "'=already"])(
    '%j is neutralised',
    (cell) => {
      expect(neutraliseFormula(cell)).toBe(`'${cell}`);
    },
  );

  test.each(['', 'A runner', "'quoted'", 'a=b', "'", ' =2', '5-8'])('%j is left as it is', (cell) => {
    expect(neutraliseFormula(cell)).toBe(cell);
    expect(restoreFormula(cell)).toBe(cell);
  });

  test('whatever is neutralised comes back as it was, any number of times', () => {
    const cell = fc.oneof(fc.string(), fc.stringMatching(/^'{0,3}[=+\-@\t]{1,2}.{0,5}$/));
    fc.assert(
      fc.property(cell, fc.integer({ min: 1, max: 3 }), (text, times) => {
        let written = text;
        for (let n = 0; n < times; n += 1) written = neutraliseFormula(written);
        expect(written === '' || !/^[=+\-@\t\r\n]/.test(written)).toBe(true);
        for (let n = 0; n < times; n += 1) written = restoreFormula(written);
        expect(written).toBe(text);
      }),
    );
  });
});
