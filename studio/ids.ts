import { randomBytes } from 'node:crypto';

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 20 letters and digits, some 119 bits: `movie_`, `ref_`, `asset_` and `req_` ids are unguessable. */
export function newId<Prefix extends 'movie' | 'ref' | 'asset' | 'req' | 'msg'>(prefix: Prefix): `${Prefix}_${string}` {
  let id = '';
  while (id.length < 20) {
    // Of each byte six bits; two of their 64 values have no letter and are drawn again.
    for (const byte of randomBytes(24)) if (id.length < 20) id += letters[byte & 63] ?? '';
  }
  return `${prefix}_${id}`;
}
