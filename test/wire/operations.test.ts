import { onBadWires } from './operations.case.js';

/** The one that costs money; `operations.long.test.ts` has the others. */
onBadWires(['createMovie']);
