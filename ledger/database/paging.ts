export interface Paging<Row, Key> {
  readonly pageSize: number;
  /** Comes before the key of every row. */
  readonly first: Key;
  readonly keyOf: (row: Row) => Key;
  /** The next rows behind a key, in the order of their keys; fewer than `pageSize` end it. */
  readonly read: (after: Key) => Promise<readonly Row[]>;
}

/** Every row of a long list, a page in memory at a time. */
export async function* byPages<Row, Key>(paging: Paging<Row, Key>): AsyncGenerator<Row, void, undefined> {
  const { pageSize, first, keyOf, read } = paging;
  for (let after = first; ;) {
    const page = await read(after);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = keyOf(last);
  }
}
