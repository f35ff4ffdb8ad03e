import type { AddCommand } from './terminal/context.js';

export interface CommandEntry {
  readonly name: string;
  readonly group: 'Everyday' | 'Operations' | 'Money' | 'Setup';
  /** One line of the list of commands. */
  readonly summary: string;
  /** Loads the command's file; only the command that is run pays for what it imports. */
  readonly load: () => Promise<AddCommand>;
}

/** Every command, in the order in which a person meets them within its group. */
export const commandTable: readonly CommandEntry[] = [
  {
    name: 'check',
    group: 'Everyday',
    summary: 'Validate a manifest without sending anything',
    load: async () => (await import('./commands/check.js')).addCheckCommand,
  },
  {
    name: 'template',
    group: 'Everyday',
    summary: 'Write a sample sheet with every column',
    load: async () => (await import('./commands/template.js')).addTemplateCommand,
  },
  {
    name: 'plan',
    group: 'Everyday',
    summary: 'Price a manifest without ordering anything',
    load: async () => (await import('./commands/plan.js')).addPlanCommand,
  },
  {
    name: 'run',
    group: 'Everyday',
    summary: 'Make the movies of a manifest on this machine',
    load: async () => (await import('./commands/run.js')).addRunCommand,
  },
  {
    name: 'submit',
    group: 'Everyday',
    summary: 'Submit a manifest to running workers',
    load: async () => (await import('./commands/submit.js')).addSubmitCommand,
  },
  {
    name: 'approve',
    group: 'Everyday',
    summary: 'Approve the plan of a batch and its price',
    load: async () => (await import('./commands/approve.js')).addApproveCommand,
  },
  {
    name: 'reject',
    group: 'Everyday',
    summary: 'Reject the plan of a batch',
    load: async () => (await import('./commands/reject.js')).addRejectCommand,
  },
  {
    name: 'serve',
    group: 'Everyday',
    summary: 'Serve the desk: the same in a browser',
    load: async () => (await import('./commands/serve.js')).addServeCommand,
  },
  {
    name: 'status',
    group: 'Everyday',
    summary: 'Show batches: counts, money, what is waiting and why',
    load: async () => (await import('./commands/status.js')).addStatusCommand,
  },
  {
    name: 'show',
    group: 'Everyday',
    summary: 'Show one row: attempts, answers, files, money',
    load: async () => (await import('./commands/show.js')).addShowCommand,
  },
  {
    name: 'logs',
    group: 'Everyday',
    summary: 'Show what happened to a batch, in order',
    load: async () => (await import('./commands/logs.js')).addLogsCommand,
  },
  {
    name: 'cancel',
    group: 'Operations',
    summary: 'Cancel rows or a whole batch',
    load: async () => (await import('./commands/cancel.js')).addCancelCommand,
  },
  {
    name: 'pause',
    group: 'Operations',
    summary: 'Stop placing new orders for a batch',
    load: async () => (await import('./commands/stops.js')).addPauseCommand,
  },
  {
    name: 'resume',
    group: 'Operations',
    summary: 'End a pause',
    load: async () => (await import('./commands/stops.js')).addResumeCommand,
  },
  {
    name: 'continue',
    group: 'Operations',
    summary: 'Continue after a canary or too many failures',
    load: async () => (await import('./commands/stops.js')).addContinueCommand,
  },
  {
    name: 'limits',
    group: 'Operations',
    summary: 'Show or change how many movies may be in progress',
    load: async () => (await import('./commands/limits.js')).addLimitsCommand,
  },
  {
    name: 'retry',
    group: 'Operations',
    summary: 'Plan failed, canceled or lost rows again as a new batch',
    load: async () => (await import('./commands/retry.js')).addRetryCommand,
  },
  {
    name: 'refetch',
    group: 'Operations',
    summary: 'Ask the service again for the files of lost rows',
    load: async () => (await import('./commands/retry.js')).addRefetchCommand,
  },
  {
    name: 'unknown',
    group: 'Operations',
    summary: 'List and resolve orders with an unconfirmed outcome',
    load: async () => (await import('./commands/unknown.js')).addUnknownCommand,
  },
  {
    name: 'results',
    group: 'Everyday',
    summary: 'Write results, certificate and gallery of a batch',
    load: async () => (await import('./commands/results.js')).addResultsCommand,
  },
  {
    name: 'open',
    group: 'Everyday',
    summary: 'Open the gallery of a batch in your browser',
    load: async () => (await import('./commands/open.js')).addOpenCommand,
  },
  {
    name: 'bundle',
    group: 'Everyday',
    summary: 'Write a folder to hand over: films, gallery, results',
    load: async () => (await import('./commands/bundle.js')).addBundleCommand,
  },
  {
    name: 'verify',
    group: 'Operations',
    summary: 'Check every delivered file against its SHA-256',
    load: async () => (await import('./commands/verify.js')).addVerifyCommand,
  },
  {
    name: 'budget',
    group: 'Money',
    summary: 'List, set, stop and start budgets',
    load: async () => (await import('./commands/budget.js')).addBudgetCommand,
  },
  {
    name: 'spend',
    group: 'Money',
    summary: 'Show where the money went',
    load: async () => (await import('./commands/spend.js')).addSpendCommand,
  },
  {
    name: 'audit',
    group: 'Money',
    summary: 'Show who decided what; verify the ledger',
    load: async () => (await import('./commands/audit.js')).addAuditCommand,
  },
  {
    name: 'reconcile',
    group: 'Money',
    summary: 'Match an invoice, or a restored ledger, with the ledger',
    load: async () => (await import('./commands/reconcile.js')).addReconcileCommand,
  },
  {
    name: 'archive-batches',
    group: 'Setup',
    summary: 'Move old batches from the ledger into the archive',
    load: async () => (await import('./commands/archive-batches.js')).addArchiveBatchesCommand,
  },
  {
    name: 'people',
    group: 'Setup',
    summary: 'Manage people and their roles',
    load: async () => (await import('./commands/people.js')).addPeopleCommand,
  },
  {
    name: 'whoami',
    group: 'Setup',
    summary: 'Show your name and roles in this ledger',
    load: async () => (await import('./commands/whoami.js')).addWhoamiCommand,
  },
  {
    name: 'policy',
    group: 'Setup',
    summary: 'Show and change approval, billing and idempotency rules',
    load: async () => (await import('./commands/policy.js')).addPolicyCommand,
  },
  {
    name: 'worker',
    group: 'Operations',
    summary: 'Run a worker',
    load: async () => (await import('./commands/worker.js')).addWorkerCommand,
  },
  {
    name: 'ledger',
    group: 'Setup',
    summary: "Create or upgrade the ledger's tables",
    load: async () => (await import('./commands/ledger.js')).addLedgerCommand,
  },
  {
    name: 'studio',
    group: 'Setup',
    summary: 'Run the built-in movie service',
    load: async () => (await import('./commands/studio.js')).addStudioCommand,
  },
  {
    name: 'conformance',
    group: 'Setup',
    summary: 'Check a movie service against the API contract',
    load: async () => (await import('./commands/conformance.js')).addConformanceCommand,
  },
  {
    name: 'init',
    group: 'Setup',
    summary: 'Write a settings file, question by question',
    load: async () => (await import('./commands/init.js')).addInitCommand,
  },
  {
    name: 'completion',
    group: 'Setup',
    summary: 'Print a completion script for your shell',
    load: async () => (await import('./commands/completion.js')).addCompletionCommand,
  },
  {
    name: 'notices',
    group: 'Operations',
    summary: 'List the channels of notices, and turn one on again',
    load: async () => (await import('./commands/notices.js')).addNoticesCommand,
  },
  {
    name: 'doctor',
    group: 'Setup',
    summary: "Check this machine's setup",
    load: async () => (await import('./commands/doctor.js')).addDoctorCommand,
  },
];
