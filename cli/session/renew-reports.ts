import { join } from 'node:path';
import { archiveFolder } from '../../home/installation.js';
import { renewReports } from '../../reports/renew-reports.js';
import { createReportFolder } from '../../reports/report-folder.js';
import type { Session } from './session.js';

/** Reports that are out of date, where their archive is on this machine; elsewhere the workers write them. */
export async function renewReportsHere({ deps, installation }: Session): Promise<void> {
  if (deps.ledger.dialect !== 'sqlite') return;
  const archive = archiveFolder(installation.config);
  const reportFolder = (batchId: string) => createReportFolder(join(archive, batchId));
  await renewReports({ ...deps, reportFolder }, deps.service);
}
