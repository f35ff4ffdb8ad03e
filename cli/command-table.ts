import type { AddCommand } from './terminal/context.js';

export interface CommandEntry {
  readonly name: string;
  /** One line of the list of commands. */
  readonly summary: string;
  /** Loads the command's file; only the command that is run pays for what it imports. */
  readonly load: () => Promise<AddCommand>;
}

/** Every command, in the order in which a person meets them. */
export const commandTable: readonly CommandEntry[] = [
  {
    name: 'check',
    summary: 'every finding in a manifest; nothing is sent',
    load: async () => (await import('./commands/check.js')).addCheckCommand,
  },
  {
    name: 'template',
    summary: 'a sample sheet with every column',
    load: async () => (await import('./commands/template.js')).addTemplateCommand,
  },
  {
    name: 'plan',
    summary: 'what would be ordered, and its price; nothing is ordered',
    load: async () => (await import('./commands/plan.js')).addPlanCommand,
  },
  {
    name: 'run',
    summary: 'the whole job on this machine',
    load: async () => (await import('./commands/run.js')).addRunCommand,
  },
  {
    name: 'submit',
    summary: 'hand a manifest to a running installation',
    load: async () => (await import('./commands/submit.js')).addSubmitCommand,
  },
  {
    name: 'approve',
    summary: 'approve a sealed plan and its price',
    load: async () => (await import('./commands/approve.js')).addApproveCommand,
  },
  {
    name: 'reject',
    summary: 'refuse a sealed plan',
    load: async () => (await import('./commands/reject.js')).addRejectCommand,
  },
  {
    name: 'status',
    summary: 'counts, money, what waits and why',
    load: async () => (await import('./commands/status.js')).addStatusCommand,
  },
  {
    name: 'cancel',
    summary: 'stop rows or a whole batch',
    load: async () => (await import('./commands/cancel.js')).addCancelCommand,
  },
  {
    name: 'pause',
    summary: 'order nothing more of a batch for now',
    load: async () => (await import('./commands/stops.js')).addPauseCommand,
  },
  {
    name: 'resume',
    summary: 'end a pause',
    load: async () => (await import('./commands/stops.js')).addResumeCommand,
  },
  {
    name: 'continue',
    summary: 'go on after a canary or too many failures',
    load: async () => (await import('./commands/stops.js')).addContinueCommand,
  },
  {
    name: 'retry',
    summary: 'plan failed, canceled or lost rows again, as a new batch',
    load: async () => (await import('./commands/retry.js')).addRetryCommand,
  },
  {
    name: 'refetch',
    summary: 'ask the service again for the files of lost rows',
    load: async () => (await import('./commands/retry.js')).addRefetchCommand,
  },
  {
    name: 'unknown',
    summary: 'orders whose answer never came: list them, resolve them',
    load: async () => (await import('./commands/unknown.js')).addUnknownCommand,
  },
  {
    name: 'results',
    summary: 'results.csv, results.jsonl, certificate.json, gallery.html',
    load: async () => (await import('./commands/results.js')).addResultsCommand,
  },
  {
    name: 'verify',
    summary: 'hold every delivered file against its hash',
    load: async () => (await import('./commands/verify.js')).addVerifyCommand,
  },
  {
    name: 'budget',
    summary: 'limits: list, set, show, stop, start',
    load: async () => (await import('./commands/budget.js')).addBudgetCommand,
  },
  {
    name: 'spend',
    summary: 'where the money went',
    load: async () => (await import('./commands/spend.js')).addSpendCommand,
  },
  {
    name: 'audit',
    summary: 'who decided what; verify the books',
    load: async () => (await import('./commands/audit.js')).addAuditCommand,
  },
  {
    name: 'reconcile',
    summary: 'hold an invoice against the books, or books against their archive',
    load: async () => (await import('./commands/reconcile.js')).addReconcileCommand,
  },
  {
    name: 'people',
    summary: 'who may do what',
    load: async () => (await import('./commands/people.js')).addPeopleCommand,
  },
  {
    name: 'policy',
    summary: 'approval, billing and idempotency rules',
    load: async () => (await import('./commands/policy.js')).addPolicyCommand,
  },
  {
    name: 'worker',
    summary: 'make movies until told to stop',
    load: async () => (await import('./commands/worker.js')).addWorkerCommand,
  },
  {
    name: 'studio',
    summary: 'serve the reference movie service',
    load: async () => (await import('./commands/studio.js')).addStudioCommand,
  },
  {
    name: 'conformance',
    summary: 'does a movie service keep the interface?',
    load: async () => (await import('./commands/conformance.js')).addConformanceCommand,
  },
  {
    name: 'doctor',
    summary: 'what is found on this machine, and what to do',
    load: async () => (await import('./commands/doctor.js')).addDoctorCommand,
  },
];
