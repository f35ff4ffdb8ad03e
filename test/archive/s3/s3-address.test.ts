import { expect, test } from 'vitest';
import { readS3Address, s3Url } from '../../../archive/s3/s3-address.js';

test.each([
  ['s3://movies', { bucket: 'movies', prefix: '' }, 's3://movies'],
  ['s3://movies/', { bucket: 'movies', prefix: '' }, 's3://movies'],
  ['s3://my.movies/acme/spring/', { bucket: 'my.movies', prefix: 'acme/spring' }, 's3://my.movies/acme/spring'],
])('reads %s', (url, address, shown) => {
  expect(readS3Address(url)).toEqual(address);
  expect(s3Url(readS3Address(url))).toBe(shown);
});

test.each([
  ['s3://', /must be s3:\/\/bucket/],
  ['s3:movies', /must be s3:\/\/bucket/],
  ['https://movies.example', /must be s3:\/\/bucket/],
  ['s3://Movies', /must be s3:\/\/bucket/],
  ['s3://key:secret@movies', /must not hold credentials/],
  ['s3://movies?region=eu', /AWS_REGION/],
  ['s3://movies/../x//y', /prefix of letters/],
])('refuses %s', (url, message) => {
  expect(() => readS3Address(url)).toThrow(message);
});
