import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { idempotencyKey } from '../../domain/idempotency-key.js';
import { InvoiceError, readInvoice } from '../../invoices/read-invoice.js';
import { fileSource, readBriefs } from '../../manifests/read-manifest.js';

function source(content: string | Buffer, name = 'invoice.csv') {
  return { name, folder: '/', open: () => Readable.from([Buffer.from(content)]) };
}

const read = (content: string | Buffer) => readInvoice(source(content));

async function refused(content: string | Buffer): Promise<InvoiceError> {
  const error = await read(content).catch((thrown: unknown) => thrown);
  if (error instanceof InvoiceError) return error;
  throw new Error(`it was read: ${JSON.stringify(error)}`);
}

const example = fileURLToPath(new URL('../../manifests/examples/invoice.csv', import.meta.url));
const sheet = fileURLToPath(new URL('../../manifests/examples/spring-launch.csv', import.meta.url));

describe('an invoice', () => {
  test('gives its lines in order, by id or key, with what they are about', async () => {
    const { lines } = await read(
      'movie_id,idempotency_key,description,amount,currency\nmovie_1,,"8 s, wide",1.50,USD\n,gl_2,,-0.50,USD\n',
    );
    expect(lines).toEqual([
      {
        ...{ movieId: 'movie_1', idempotencyKey: null, amountMinor: 150, currency: 'USD' },
        ...{ description: '8 s, wide', invoice: null, row: 2 },
      },
      {
        ...{ movieId: null, idempotencyKey: 'gl_2', amountMinor: -50, currency: 'USD' },
        ...{ description: null, invoice: null, row: 3 },
      },
    ]);
  });

  test.each([
    ['UTF-8 with a mark', 'utf8', true, 'München'],
    ['UTF-16 as spreadsheets save it', 'utf16le', true, 'München'],
    ['Windows-1252', 'win1252', false, 'M\u00fcnchen, 1.234,50 \u20ac zusammen, f\u00fcr Gesch\u00e4ftskunden'],
  ])(
    'is read in %s, behind its preamble, whatever separates and names its columns',
    async (_, encoding, addBOM, city) => {
      const text = `Rechnung 11/2026;"${city}"\r\n\r\nMovie ID;Details;Net amount;Currency code;VAT\r\nmovie_1;Film "Läufer";1.234,50;EUR;19\r\n`;
      const { lines } = await read(iconv.encode(text, encoding, { addBOM }));
      expect(lines).toMatchObject([{ movieId: 'movie_1', amountMinor: 123_450, currency: 'EUR', row: 4 }]);
      expect(lines[0]?.description).toContain('Läufer');
    },
  );

  test('skips blank rows and keeps their count; a cell that was kept from being a formula is itself again', async () => {
    const { lines } = await read("movie_id,amount\r\n\r\n,\r\n'=m1,'-1.50 USD\r\n");
    expect(lines).toMatchObject([{ movieId: '=m1', amountMinor: -150, row: 4 }]);
  });

  test('names every fault by row, line, column and field, all in one pass', async () => {
    const { findings, message } = await refused(
      'movie_id,description,amount,currency\nmovie_1,"two\nlines",1.50,USD\nmovie_2,,"1,234",USD\n,total,3.00,USD\nmovie_4,,,USD\nmovie_5,,1.00,USD,more\n',
    );
    const places = findings.map(({ code, row, line, column, field }) => [code, row, line, column, field]);
    expect(places).toEqual([
      ['amount', 3, 4, 'C', 'amount'],
      ['no_movie', 4, 5, 'A', 'movie_id'],
      ['amount', 5, 6, 'C', 'amount'],
      ['ragged_row', 6, 7, 'E', null],
    ]);
    expect(message).toMatch(
      /^Cannot use the invoice: row 3 \(line 4\) C amount: "1,234" can be read in two ways.* \(and 3 more\)$/,
    );
  });

  test.each([
    ['movie_id,ammount,currency\nmovie_1,1.50,USD\n', 'did you mean it by "ammount"'],
    ['amount,currency\n1.50,USD\n', 'there is no column movie_id and no column idempotency_key'],
    ['movie_id,amount,total\nmovie_1,1.50,1.50\n', '"amount" (column B) and "total" are both amount'],
    ['who,what\nme,that\n', 'no row names the columns'],
    ['movie_id,amount,currency\n', 'it has no lines'],
    ['movie_id,amount\nmovie_1,"1.50 USD\nmovie_2,2.00 USD\n', 'a quote opens this cell and nothing closes it'],
    ['movie_id,amount\nmovie_1,1.50 USD\nmovie_2,"2.00" USD\n', 'is not an amount'],
    ['%PDF-1.7\n%âãÏÓ\n1 0 obj\n', 'an invoice is a CSV file'],
    [Buffer.from('504b0304140000000800', 'hex'), 'it is a workbook; save the sheet as CSV'],
  ])('that is %j is refused', async (content, words) => {
    const { message } = await refused(content);
    expect(message).toMatch(/^Cannot use the invoice: /);
    expect(message).toContain(words);
  });

  test('of the examples is about the movies of the example sheet', async () => {
    const { lines } = await readInvoice(await fileSource(example));
    const keys = new Set<string>();
    for await (const rows of readBriefs(await fileSource(sheet), {})) {
      for (const { brief, digest } of rows) {
        const service = { name: 'studio', baseUrl: 'embedded' };
        const content = { rowKey: brief.rowKey, contentDigest: digest ?? '', attempt: 1 };
        keys.add(idempotencyKey({ service, campaign: 'spring-launch', ...content }));
      }
    }
    const named = lines.flatMap((line) => line.idempotencyKey ?? []);
    expect(new Set(named).size).toBe(5);
    expect(named.filter((key) => !keys.has(key))).toEqual([]);
  });
});
