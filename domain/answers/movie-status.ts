/** The status words of the interface (specification, Movie). Others may come; they are not failures. */
const underWay = ['queued', 'planning', 'generating', 'rendering'];
const ends = ['completed', 'failed', 'canceled'] as const;

export type StatusMeaning =
  | { readonly kind: 'under_way'; readonly alarm: string | null }
  | { readonly kind: 'end'; readonly end: (typeof ends)[number] };

export function statusMeaning(status: string): StatusMeaning {
  const end = ends.find((word) => word === status);
  if (end) return { kind: 'end', end };
  const alarm = underWay.includes(status) ? null : `the service shows an unknown status: ${status.slice(0, 60)}`;
  return { kind: 'under_way', alarm };
}
