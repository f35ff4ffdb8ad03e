import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/activities.js';
import { longWork } from './activity-options.js';

const { reconcile } = proxyActivities<Activities>(longWork);

/** Runs on a schedule and when a worker starts; one at a time. */
export async function reconcileWorkflow(): Promise<number> {
  return reconcile();
}
