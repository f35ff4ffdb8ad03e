import type { WaitReason } from './wait-reason.js';

/** What an alarm means and what somebody does about it, in the words of docs/operating.md. */
export interface AlarmHelp {
  readonly means: string;
  readonly todo: string;
}

const byKind: Readonly<Partial<Record<WaitReason['kind'], AlarmHelp>>> = {
  credentials: {
    means: 'the service refuses the key or the account',
    todo: 'fix the key or the account, then greenlight resume <batch>',
  },
  tripped: {
    means: 'more rows failed than the batch tolerates',
    todo: 'look at the failed rows; greenlight continue or cancel',
  },
  canary: { means: 'the first rows are done', todo: 'look at the movies; greenlight continue' },
  budget: {
    means: 'a person stopped spending under this path',
    todo: 'greenlight budget start <path>, by finance',
  },
  restored: { means: 'the ledger is older than its archive', todo: 'see Restore' },
  unknown: {
    means: 'it cannot be learned whether a create was accepted',
    todo: 'ask the service; greenlight unknown resolve',
  },
  overdue: {
    means: 'not finished at its deadline; it is still asked about',
    todo: 'greenlight cancel <batch> <row>, or see Rows that are stuck',
  },
  disk_full: {
    means: 'the disk or the archive refuses; the row stays archiving',
    todo: 'free space or fix permissions; it is retried automatically',
  },
};

const byWords: readonly (readonly [RegExp, AlarmHelp])[] = [
  [
    /cancel it, and submit again$/,
    {
      means: 'its brief or price was changed in the database',
      todo: 'greenlight cancel <batch> <row>, then submit again',
    },
  ],
  [
    /started again/,
    {
      means: "the worker's code changed under it, or it was terminated",
      todo: 'nothing; the rows continue, and none is ordered twice',
    },
  ],
  [
    /unknown status/,
    {
      means: 'a status word that the interface does not have',
      todo: "nothing; it is still followed. Tell the service's operators",
    },
  ],
  [
    /does not fit/,
    {
      means: "the service's answer differs from the order",
      todo: 'compare the movie with the brief; report it to the service',
    },
  ],
];

export const allAlarmHelp: readonly AlarmHelp[] = [...Object.values(byKind), ...byWords.map(([, help]) => help)];

/** Null for what says itself what it means. */
export function alarmHelp({ kind, what }: Pick<WaitReason, 'kind' | 'what'>): AlarmHelp | null {
  return byKind[kind] ?? byWords.find(([words]) => words.test(what))?.[1] ?? null;
}
