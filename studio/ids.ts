import { randomFillSync } from 'node:crypto';

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Drawn ahead: a call for each id cost a twentieth of a create. */
const pool = Buffer.alloc(4_096);
let used = pool.length;

/** 20 letters and digits, some 119 bits: `movie_`, `ref_`, `asset_` and `req_` ids are unguessable. */
export function newId<Prefix extends 'movie' | 'ref' | 'asset' | 'req' | 'msg'>(prefix: Prefix): `${Prefix}_${string}` {
  let id = '';
  // Six bits of each byte; two of their 64 values have no letter and are drawn again.
  while (id.length < 20) id += letters[nextByte() & 63] ?? '';
  return `${prefix}_${id}`;
}

function nextByte(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return pool.readUInt8(used++);
}
