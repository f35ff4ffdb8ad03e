import type { Counts } from './coverage.js';

/** What goes wrong, by its class: each kind of fault that is drawn belongs to one. */
const classes = {
  'worker dies': ['worker killed', 'attempt given up'],
  'Temporal away': ['temporal away'],
  'service dies': ['service killed'],
  'workflow ended or forgotten': ['workflow terminated', 'workflow canceled in Temporal', 'workflow evicted'],
  'ledger away': ['ledger away', 'commit lost', 'commit uncertain'],
  'request lost': ['not connected', 'request lost'],
  'answer lost': ['answer lost'],
  'answer late': ['late'],
  'answer doubled': ['doubled'],
  'answer spoilt': ['garbage', 'truncated', 'no id', 'other movie'],
  429: ['429', '429 without a time'],
  '5xx': ['500 before', '500 after', '503 after', '503'],
  '401 for a while': ['locked out'],
  'other refusal': ['400', '422', '403', '409', '409 after', '418', '408', '302'],
  'download cut or refused': ['refused', 'cut', 'reset', 'page'],
  'disk full': ['disk full before', 'disk full after'],
  'clock steps': ['clock steps'],
  'time passes': ['time passes', 'days pass'],
  'signal lost or doubled': ['signal lost', 'signal unheard', 'signal doubled'],
  'event of a movie lost': ['event lost'],
  'event of a movie doubled': ['event doubled'],
  'event of a movie forged': ['event forged'],
  'ledger restored from a copy': ['ledger restored'],
  'people submit again': ['submit', 'edit and submit'],
  'people decide': ['approve', 'approve twice', 'approve their own', 'reject'],
  'people cancel': ['cancel a row', 'cancel all'],
  'people pause': ['pause', 'resume', 'go on', 'stop the budget', 'start the budget'],
  'people change a limit': ['lower the limit', 'raise the limit'],
  'people order or fetch again': ['retry', 'refetch'],
  'people resolve': ['resolve'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const classOf: ReadonlyMap<string, string> = new Map(
  Object.entries(classes).flatMap(([name, kinds]) => kinds.map((kind) => [kind, name])),
);

/** @throws Error for a kind that nobody put into a class. */
export function faultClass(kind: string): string {
  const name = classOf.get(kind);
  if (name === undefined) throw new Error(`The simulation knows no class of the fault "${kind}"`);
  return name;
}

/** The classes that a run of so many seeds drew less often than once in ten of them. */
export function rareClasses(counts: Counts, seeds: number): readonly string[] {
  return Object.keys(classes).filter((name) => (counts.get(`class ${name}`) ?? 0) < seeds / 10);
}
