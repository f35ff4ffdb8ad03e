import { onBadWires } from './operations.case.js';

onBadWires(['uploadReference', 'estimateMovie', 'getMovie', 'cancelMovie', 'listAssets']);
