/** A moment for programs, in UTC, e.g. `2026-11-28T13:02:11.000Z`; null stays null. */
export function timeJson(atMs: number): string;
export function timeJson(atMs: number | null): string | null;
export function timeJson(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}
