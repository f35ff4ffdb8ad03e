import { renewReports } from '../../reports/renew-reports.js';
import type { Session } from './session.js';

/** Reports that are out of date, where their archive is on this machine; elsewhere the workers write them. */
export async function renewReportsHere({ deps, installation }: Session): Promise<void> {
  if (deps.ledger.dialect !== 'sqlite') return;
  await renewReports({ ...deps, reportFolder: installation.reports }, deps.service);
}
