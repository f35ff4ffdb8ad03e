import { describe, expect, test } from 'vitest';
import { ConnectionError, MovieApiError } from '../../../api/errors.js';
import { CliError } from '../../../cli/terminal/exit-codes.js';
import { explainError } from '../../../cli/terminal/explain-error.js';
import { ConfigError } from '../../../home/config.js';
import { LedgerError } from '../../../ledger/ledger.js';
import { PricingInterrupted } from '../../../pricing/pricing-trouble.js';

const refused = new MovieApiError('Cannot estimate the movie: the service answered 401 unauthorized', {
  ...{ operation: 'estimateMovie', status: 401, code: 'unauthorized', requestId: null, retryAfterMs: null },
});
const unreachable = new ConnectionError('Cannot estimate the movie: no connection', {
  ...{ operation: 'estimateMovie', sent: 'nothing', reason: 'connect' },
});

describe('an error becomes one line and an exit code', () => {
  test.each([
    [new CliError('Cannot run it', 3), 'Cannot run it', 3],
    [new ConfigError('Cannot use the configuration: home'), 'Cannot use the configuration: home', 2],
    [new LedgerError('no_room', 'Cannot approve x: no room'), 'Cannot approve x: no room', 3],
    [
      new LedgerError('unknown_batch', 'Cannot find batch x: no such batch'),
      'Cannot find batch x: no such batch; greenlight status lists them',
      2,
    ],
    [
      new LedgerError('unknown_row', 'Cannot find row x: there is no such row in batch b-1'),
      'Cannot find row x: there is no such row in batch b-1; greenlight status b-1 --rows lists them',
      2,
    ],
    [new LedgerError('unknown_budget', 'Cannot find budget x: none'), /; greenlight budget list lists them$/, 2],
    [new LedgerError('unknown_person', 'Cannot remove x: nobody'), /; greenlight people list lists them$/, 2],
    [new LedgerError('bad_argument', 'Cannot set it'), 'Cannot set it', 2],
    [refused, /401 unauthorized; check MOVIE_API_KEY$/, 4],
    [new PricingInterrupted(refused, []), /401 unauthorized; check MOVIE_API_KEY$/, 4],
    [unreachable, /no connection; check MOVIE_API_URL/, 4],
    [system('ENOSPC', 'write'), /the disk is full; free some space.*\(ENOSPC\)$/, 4],
    [system('EACCES', "mkdir '/srv/x'"), /^Cannot continue with \/srv\/x: no write permission/, 4],
    [system('SQLITE_FULL', 'database or disk is full'), /the disk is full/, 4],
    [system('SQLITE_IOERR_WRITE', 'disk I/O error'), /the disk of the ledger failed/, 4],
    [system('EADDRINUSE', 'listen'), /another program is listening there/, 4],
    [system('EEXIST', "mkdir '/srv/file'"), /\/srv\/file: it is a file, not a folder/, 2],
    [
      system('ENOSPC', 'Cannot write "a/b": the disk is full (ENOSPC)'),
      'Cannot write "a/b": the disk is full (ENOSPC)',
      4,
    ],
    [new TypeError('x is undefined'), /^Cannot continue: x is undefined; set GREENLIGHT_DEBUG=1 to see where$/, 1],
    ['a string', /^Cannot continue: a string/, 1],
  ])('%s', (error, message, exitCode) => {
    const explained = explainError(error, { env: {} });
    if (message instanceof RegExp) expect(explained.message).toMatch(message);
    else expect(explained.message).toBe(message);
    expect(explained.exitCode).toBe(exitCode);
  });

  test('of somebody else’s words, nothing moves the cursor', () => {
    expect(explainError(new Error('a\u001b[2Jb\nc'), { env: {} }).message).toContain('a [2Jb c');
  });

  test('for who asks, with its stack', () => {
    expect(explainError(new Error('x'), { env: { GREENLIGHT_DEBUG: '1' } }).message).toMatch(/\n {4}at /);
  });
});

function system(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
