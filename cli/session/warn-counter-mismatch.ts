import { counterMismatches } from '../../operations/audit.js';
import type { OperationDeps } from '../../operations/deps.js';
import type { CliContext } from '../terminal/context.js';
import { say } from '../terminal/print.js';

/** Says when a counter of money is not what its entries say. Nothing is mended: that is for people to look into. */
export async function warnCounterMismatch(
  context: Pick<CliContext, 'stderr'>,
  deps: Pick<OperationDeps, 'ledger'>,
): Promise<void> {
  const [first, ...more] = await counterMismatches(deps);
  if (!first) return;
  const { of, counter, counted, byEntries } = first;
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  const what = `${of}: ${counter} is ${counted}, its entries say ${byEntries} (minor units)${others}`;
  say(context, `The books do not add up: ${what}; see "greenlight audit verify"`);
}
