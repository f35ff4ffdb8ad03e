/** The name that a misspelled one was probably meant to be, or null. Short names are too similar to tell. */
export function nearestOf(written: string, names: Iterable<string>): string | null {
  let best: { readonly name: string; readonly distance: number } | null = null;
  for (const name of names) {
    const most = Math.max(name.length, written.length) > 5 ? 2 : 1;
    if (Math.min(name.length, written.length) < 4 || Math.abs(name.length - written.length) > most) continue;
    const distance = editDistance(name, written);
    if (distance <= most && (best === null || distance < best.distance)) best = { name, distance };
  }
  return best?.name ?? null;
}

/** Letters to change, add, drop or swap with their neighbour (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
