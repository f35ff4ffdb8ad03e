import { once } from 'node:events';
import { openSandbox } from './sandbox.js';
import { Simulator } from './simulate.js';
import { runStretch, type Stretch } from './tally.js';

/* One of the processes that `jobs.ts` starts: runs the seeds that it is sent, and answers with what became of them. */

const simulator = await Simulator.open(await openSandbox(process.argv[2]));
process.on('message', async (stretch: Stretch) => {
  process.send?.(await runStretch(simulator, stretch));
});
process.send?.('ready');
await once(process, 'disconnect');
await simulator.close();
