import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { ManifestError } from '../../manifests/read-manifest.js';
import { runs } from '../runs.js';
import { briefsOf, checkText } from './manifest-files.js';

const western = 'Ein Läufer in der Dämmerung: “Los!” – 5 € für Öffnungen, déjà vu';

function sheet(prompt: string, lineEnd = '\r\n'): string {
  return ['id,prompt', `a1,"${prompt}"`, 'a2,A plain prompt of letters', ''].join(lineEnd);
}

async function promptOf(bytes: Buffer, options = {}): Promise<string | undefined> {
  return (await briefsOf('sheet.csv', bytes, options))[0]?.brief.prompt;
}

describe('the encoding of a manifest', { timeout: 60_000 }, () => {
  test.each([
    ['UTF-8', Buffer.from(sheet(western)), 'UTF-8'],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${sheet(western)}`), 'UTF-8'],
    ['UTF-16LE with a mark', iconv.encode(sheet(western), 'utf-16le', { addBOM: true }), 'UTF-16LE'],
    ['UTF-16BE with a mark', iconv.encode(sheet(western), 'utf-16be', { addBOM: true }), 'UTF-16BE'],
    ['UTF-32LE with a mark', iconv.encode(sheet(western), 'utf-32le', { addBOM: true }), 'UTF-32LE'],
    ['UTF-16LE', iconv.encode(sheet(western), 'utf-16le'), 'UTF-16LE'],
    ['UTF-16BE', iconv.encode(sheet(western), 'utf-16be'), 'UTF-16BE'],
    ['Windows-1252', iconv.encode(sheet(western), 'windows-1252'), 'windows-1252'],
  ])('%s is found out', async (_name, bytes, encoding) => {
    const found = await checkText('sheet.csv', bytes);
    expect(found.head.encoding).toBe(encoding);
    expect(found).toMatchObject({ briefs: 2, errors: 0, warnings: encoding === 'UTF-8' ? 0 : 1 });
    expect(await promptOf(bytes)).toBe(western);
  });

  test.each([
    ['Shift_JIS', '夜明けのランナー、靴のクローズアップ、雨に濡れた石畳'],
    ['EUC-JP', '夜明けのランナー、靴のクローズアップ、雨に濡れた石畳'],
    ['GB18030', '黎明时分的跑者,鞋子特写镜头,空无一人的大桥'],
    ['Big5', '黎明時分的跑者,鞋子特寫鏡頭,空無一人的大橋'],
    ['EUC-KR', '새벽의 러너 신발 클로즈업 텅 빈 다리 위'],
    ['windows-1251', 'Бегунья на рассвете, крупный план кроссовка, пустой мост'],
    ['KOI8-R', 'Бегунья на рассвете, крупный план кроссовка, пустой мост'],
  ])('%s is guessed, and said to be a guess', async (encoding, prompt) => {
    const bytes = iconv.encode(sheet(prompt), encoding);
    const found = await checkText('sheet.csv', bytes);
    expect(found.findings.map(({ code, after }) => [code, after])).toEqual([['encoding', encoding]]);
    expect(found.findings[0]?.message).toContain('a guess');
    expect(await promptOf(bytes)).toBe(prompt);
  });

  test.each([
    ['Ein Läufer in der Dämmerung, nah am Schuh; die Straße glänzt'],
    ['Coureuse à l’aube, près de la chaussure, lumière dorée, été'],
    ['Corredora al amanecer, el niño mira, ¿qué?, ¡vamos!, montaña'],
    ['Löpare i gryningen på gatan, för första gången'],
    ['ÉTÉ À LA MER, DÉJÀ VU, GARÇON, NOËL, FORÊT'],
  ])('western text in Windows-1252 is never taken for anything else: %s', async (prompt) => {
    const bytes = iconv.encode(sheet(prompt), 'windows-1252');
    expect((await checkText('sheet.csv', bytes)).head.encoding).toBe('windows-1252');
    expect(await promptOf(bytes)).toBe(prompt);
  });

  test('what Windows-1252 makes no sense of is refused, since its letters would be wrong', async () => {
    const bytes = iconv.encode(sheet('Zażółć gęślą jaźń, biegaczka o świcie na łące'), 'windows-1250');
    await expect(checkText('sheet.csv', bytes)).rejects.toMatchObject({ findings: [{ code: 'unclear_encoding' }] });
    expect(await promptOf(bytes, { encoding: 'windows-1250' })).toContain('Zażółć gęślą jaźń');
  });

  test('UTF-8 with a few other bytes is refused, since all the rest would be damaged', async () => {
    const bytes = Buffer.concat([
      Buffer.from(sheet(western)),
      Buffer.from('a3,caf\xe9 at dawn in the rain\n', 'latin1'),
    ]);
    await expect(checkText('sheet.csv', bytes)).rejects.toMatchObject({ findings: [{ code: 'mixed_encoding' }] });
  });

  test('the first odd byte may be far into the file', async () => {
    const plain = Array.from({ length: 3_000 }, (_, index) => `a${index},A plain prompt of letters ${index}`);
    const text = ['id,prompt', ...plain, 'last,Fenêtre ouverte, là-bas'.replace(', l', ' l'), ''].join('\n');
    const bytes = iconv.encode(text, 'windows-1252');
    expect((await checkText('sheet.csv', bytes)).head.encoding).toBe('windows-1252');
    expect((await briefsOf('sheet.csv', bytes)).at(-1)?.brief.prompt).toBe('Fenêtre ouverte là-bas');
  });

  test('what is asked for is taken, and nothing is said about it', async () => {
    const bytes = iconv.encode(sheet('café'.padEnd(12, '!')), 'macintosh');
    expect(await promptOf(bytes, { encoding: 'macintosh' })).toBe('café!!!!!!!!');
    expect((await checkText('sheet.csv', bytes, { encoding: 'macintosh' })).findings).toEqual([]);
  });

  test('an encoding that does not exist, or that the bytes are not in, is refused', async () => {
    const bytes = iconv.encode(sheet(western), 'windows-1252');
    await expect(checkText('sheet.csv', bytes, { encoding: 'klingon' })).rejects.toThrow(ManifestError);
    await expect(checkText('sheet.csv', bytes, { encoding: 'utf8' })).rejects.toMatchObject({
      findings: [{ code: 'not_utf8' }],
    });
  });

  test('a character over the edge of two pieces of the stream stays whole', async () => {
    const filler = Array.from({ length: 2_000 }, (_, index) => `a${index},${'漢字😀é'.repeat(20)} ${index}`);
    const found = await checkText('sheet.csv', `id,prompt\n${filler.join('\n')}`);
    expect(found.head.encoding).toBe('UTF-8');
    expect(found).toMatchObject({ briefs: 2_000, errors: 0, warnings: 0 });
  });

  test('any text, in any encoding that has it, under any delimiter and line end, gives the same briefs', async () => {
    const letters = 'abcdefghij klmnop.,;|"äöüßéèçñ';
    const text = fc.string({ unit: fc.constantFrom(...letters), minLength: 10, maxLength: 40 }).filter((one) => {
      return one.trim().length >= 10 && !/^['=+\-@]/.test(one.trim());
    });
    const form = fc.record({
      encoding: fc.constantFrom(
        'utf-8',
        'utf-8 mark',
        'utf-16le',
        'utf-16be',
        'utf-16le mark',
        'utf-16be mark',
        'utf-32le mark',
      ),
      delimiter: fc.constantFrom(',', ';', '\t', '|'),
      lineEnd: fc.constantFrom('\r\n', '\n', '\r'),
      quoteAll: fc.boolean(),
      sep: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(text, { minLength: 1, maxLength: 4 }), form, async (prompts, shape) => {
        const { encoding, delimiter, lineEnd, quoteAll, sep } = shape;
        const cell = (value: string) =>
          quoteAll || value.includes(delimiter) || value.includes('"') ? `"${value.replaceAll('"', '""')}"` : value;
        const rows = [['id', 'prompt', 'style'], ...prompts.map((prompt, index) => [`r${index}`, prompt, 'warm'])];
        const body = rows.map((row) => row.map(cell).join(delimiter)).join(lineEnd);
        const [name = '', mark] = encoding.split(' ');
        const bytes = iconv.encode(`${sep ? `sep=${delimiter}${lineEnd}` : ''}${body}`, name, {
          addBOM: mark === 'mark',
        });
        const found = await briefsOf('sheet.csv', bytes);
        expect(found.map(({ brief }) => [brief.rowKey, brief.prompt, brief.style])).toEqual(
          prompts.map((prompt, index) => [`r${index}`, prompt.trim(), 'warm']),
        );
      }),
      { numRuns: runs(150) },
    );
  });
});
