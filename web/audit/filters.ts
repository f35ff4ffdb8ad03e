import type { AuditLook } from '../../operations/access/audit-page.js';
import { nextDay, startOfDay } from '../../reports/wording/day.js';

/** Which records a page shows, as its address says. */
export interface AuditQuery {
  readonly of: string;
  readonly by: string;
  readonly kind: AuditKind | '';
  readonly refused: boolean;
  /** `2026-11-28`, or nothing. */
  readonly from: string;
  readonly until: string;
  readonly before: number | null;
}

/** Families of acts, as people look for them; `budget` has `budget_set` and so on. */
export const auditKinds = [
  ...['submit', 'approve', 'reject', 'cancel', 'pause', 'resume', 'continue', 'retry', 'refetch', 'resolve'],
  ...['budget', 'reconcile', 'review', 'share', 'people', 'policy', 'sign_in'],
] as const;
export type AuditKind = (typeof auditKinds)[number];

export function readAuditQuery(query: Readonly<Record<string, string>>): AuditQuery {
  const { of = '', by = '', act = '', refused = '', from = '', until = '', before = '' } = query;
  return {
    ...{ of: of.trim(), by: by.trim(), refused: refused === 'yes' },
    kind: auditKinds.find((kind) => kind === act) ?? '',
    from: startOfDay(from) === null ? '' : from,
    until: startOfDay(until) === null ? '' : until,
    before: /^\d{1,15}$/.test(before) ? Number(before) : null,
  };
}

/** The same as a question to the books; a day belongs to it as a whole. */
export function filterOf({ of, by, kind, refused, from, until }: AuditQuery): Omit<AuditLook, 'actor' | 'before'> {
  const [sinceMs, lastMs] = [startOfDay(from), startOfDay(until)];
  return {
    ...(of !== '' && { object: of }),
    ...(by !== '' && { by }),
    ...(kind !== '' && { kind }),
    ...(refused && { onlyRefused: true }),
    ...(sinceMs !== null && { sinceMs }),
    ...(lastMs !== null && { untilMs: nextDay(lastMs) }),
  };
}

/** The address of another view at `at`, which keeps the filter. */
export function auditPath(at: string, query: AuditQuery, before: number | null = null): string {
  const { of, by, kind, refused, from, until } = query;
  const fields = { of, by, act: kind, refused: refused ? 'yes' : '', from, until, before: String(before ?? '') };
  const given = Object.entries(fields).filter(([, value]) => value !== '');
  return given.length === 0 ? at : `${at}?${new URLSearchParams(given)}`;
}
