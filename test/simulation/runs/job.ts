import { once } from 'node:events';
import { openSandbox } from '../sandbox.js';
import { Simulator } from '../simulate.js';
import { runStretch, type Stretch } from './tally.js';

/* One of the processes that `jobs.ts` starts: runs the seeds that it is sent, and answers with what became of them. */

const simulator = await Simulator.open(await openSandbox(process.argv[2]));
process.on('message', (stretch: Stretch) => {
  void runStretch(simulator, stretch).then((tally) => process.send?.(tally)); // a failure of ours ends this process
});
process.send?.('ready');
await once(process, 'disconnect');
await simulator.close();
// Whoever waited for the seeds that it may still run was killed.
process.exit();
