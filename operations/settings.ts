import type { Includable } from '../domain/row-class.js';
import type { BatchSettings } from '../ledger/batches/batch-record.js';
import type { ManifestHead } from '../manifests/read-manifest.js';

/** Settings of a batch from the command line or the desk; they win over the manifest's. */
export interface SettingFlags {
  /** A path; by default the manifest's, else the campaign's own level. */
  readonly budgetPath?: string | undefined;
  readonly canary?: number | undefined;
  /** A number of rows, or a share of the sheet's movies, rounded down. */
  readonly tolerance?: number | { readonly percent: number } | undefined;
  readonly maxInFlight?: number | undefined;
  readonly priority?: number | undefined;
  readonly deadlineSeconds?: number | undefined;
  readonly include?: readonly Includable[] | undefined;
  readonly respend?: boolean | undefined;
  readonly allowDuplicates?: boolean | undefined;
  readonly allowFree?: boolean | undefined;
}

/**
 * Returns the settings of a batch: flags over manifest over defaults.
 *
 * @param movies the number that the manifest asks for
 */
export function settingsOf({ settings, campaign }: ManifestHead, flags: SettingFlags, movies: number): BatchSettings {
  return {
    budgetPath: flags.budgetPath ?? settings.budget ?? campaign,
    currency: null,
    canary: flags.canary ?? settings.canary ?? null,
    tolerance: rowsOf(flags.tolerance, movies) ?? settings.tolerance ?? null,
    maxInFlight: flags.maxInFlight ?? settings.maxInFlight ?? null,
    priority: flags.priority ?? settings.priority ?? null,
    deadlineSeconds: flags.deadlineSeconds ?? settings.deadlineSeconds ?? null,
    include: flags.include ?? [],
    respend: flags.respend ?? false,
    allowDuplicates: flags.allowDuplicates ?? false,
    allowFree: flags.allowFree ?? false,
  };
}

function rowsOf(tolerance: SettingFlags['tolerance'], movies: number): number | undefined {
  return typeof tolerance === 'object' ? Math.floor((tolerance.percent / 100) * movies) : tolerance;
}
