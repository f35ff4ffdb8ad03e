import { describe, expect, test } from 'vitest';
import { guardedLookup, problemOfUrl } from '../../../studio/webhooks/addresses.js';

describe('a callback address', () => {
  test.each([
    'https://example.com/hook',
    'https://example.com:8443/hook?x=1',
    'https://93.184.216.34/',
    'https://[2606:2800:220:1:248:1893:25c8:1946]/',
  ])('%s is fine', (url) => {
    expect(problemOfUrl(url, { allowLoopback: false })).toBe(null);
  });

  test.each([
    ['http://example.com/hook', 'https'],
    ['https://user:secret@example.com/', 'user name'],
    ['https://localhost/', 'this machine'],
    ['https://hook.localhost/', 'this machine'],
    ['https://127.0.0.1/', 'this machine'],
    ['https://2130706433/', 'this machine'],
    ['https://0x7f.1/', 'this machine'],
    ['https://[::1]/', 'this machine'],
    ['https://[::ffff:127.0.0.1]/', 'this machine'],
    ['https://0.0.0.0/', 'private'],
    ['https://10.1.2.3/', 'private'],
    ['https://172.31.255.255/', 'private'],
    ['https://192.168.0.1/', 'private'],
    ['https://169.254.169.254/latest/meta-data', 'private'],
    ['https://100.100.100.200/', 'private'],
    ['https://[fd00::1]/', 'private'],
    ['https://[fe80::1]/', 'private'],
    ['https://[::ffff:10.0.0.1]/', 'private'],
    ['https://[64:ff9b::a00:1]/', 'private'],
  ])('%s is refused', (url, words) => {
    expect(problemOfUrl(url, { allowLoopback: false })).toContain(words);
  });

  test('of this machine is fine, also without https, where that is allowed; other private ones are not', () => {
    expect(problemOfUrl('http://127.0.0.1:8080/hook', { allowLoopback: true })).toBe(null);
    expect(problemOfUrl('http://localhost/hook', { allowLoopback: true })).toBe(null);
    expect(problemOfUrl('http://192.168.0.1/hook', { allowLoopback: true })).toContain('https');
  });
});

test('a name is looked at when it is resolved, whatever it seemed to be before', async () => {
  const resolve = (allowLoopback: boolean, all: boolean) =>
    new Promise((done) => {
      guardedLookup({ allowLoopback })('localhost', { all, family: 4 }, (error, address) =>
        done(error ? error.message : address),
      );
    });
  expect(await resolve(false, true)).toBe('Cannot deliver to localhost: it is a private address');
  expect(await resolve(true, false)).toBe('127.0.0.1');
  expect(await resolve(true, true)).toEqual([{ address: '127.0.0.1', family: 4 }]);
});
