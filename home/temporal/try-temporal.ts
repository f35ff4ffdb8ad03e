import { Connection } from '@temporalio/client';
import type { TemporalConfig } from '../config.js';
import { wayToTemporal } from './way-to-temporal.js';

/** Temporal cannot be used as configured; the message says what to check. */
class TemporalProblem extends Error {
  override readonly name = 'TemporalProblem';
}

const deadlineMs = 10_000;

/**
 * Checks once that Temporal is reachable and serves our namespace, so that a wrong setting is reported before anything
 * waits for it.
 *
 * @throws TemporalProblem
 */
export async function tryTemporal({ address, namespace, credentials, proxy }: TemporalConfig): Promise<void> {
  const way = wayToTemporal(address, proxy);
  const connection = Connection.lazy({
    ...credentials,
    address: way.address,
    // The client's own check would retry until the deadline, whatever the answer.
    interceptors: [],
    // A server that was not there a moment ago is looked up again.
    channelArgs: { 'grpc.use_local_subchannel_pool': 1, ...way.channelArgs },
  });
  try {
    await connection.withDeadline(Date.now() + deadlineMs, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
  } catch (error) {
    throw explained(error, { address, namespace, proxy });
  } finally {
    await connection.close();
  }
}

/** gRPC's own numbers (grpc.io, "Status codes and their use in gRPC"). */
const [notFound, permissionDenied, unauthenticated] = [5, 7, 16];

function explained(error: unknown, { address, namespace, proxy }: TemporalConfig): TemporalProblem {
  const { code, details } = error as { readonly code?: unknown; readonly details?: unknown };
  if (code === notFound) {
    const says = `Cannot use Temporal at ${address}: it has no namespace "${namespace}"; check TEMPORAL_NAMESPACE`;
    return new TemporalProblem(says, { cause: error });
  }
  if (code === permissionDenied || code === unauthenticated) {
    const says = `Cannot use Temporal at ${address}: it refuses our credentials; check TEMPORAL_API_KEY, the certificates and TEMPORAL_NAMESPACE`;
    return new TemporalProblem(says, { cause: error });
  }
  const why = typeof details === 'string' ? /\bE[A-Z]{4,}\b/.exec(details)?.[0] : undefined;
  const by = proxy === null ? '' : ` by the proxy ${proxy.host}`;
  const check = proxy === null ? 'TEMPORAL_ADDRESS' : 'TEMPORAL_ADDRESS, HTTPS_PROXY and NO_PROXY';
  const says = `Cannot reach Temporal at ${address}${by}${why ? ` (${why})` : ''}; check ${check}, and that it is running`;
  return new TemporalProblem(says, { cause: error });
}
