import { Hono } from 'hono';
import { personBehind } from '../../operations/access/sessions.js';
import { type ChangeListener, createChanges } from '../../operations/live/changes.js';
import type { DeskDeps } from '../desk-deps.js';
import { actorOf, type DeskEnv } from '../desk-env.js';
import { sessionIdOf } from '../guard/session.js';

/** A browser that lost its stream asks again after so long. */
const retryMs = 2_000;

/**
 * Says which batches changed, and nothing of them: pages fetch what they show. Who stops reading is written to no more;
 * whose session ends is told so within a quarter of a minute, and the stream ends.
 */
export function liveRoutes(deps: DeskDeps): Hono<DeskEnv> {
  const changes = createChanges(deps);
  return new Hono<DeskEnv>().get('/stream', async (c) => {
    const sessionId = sessionIdOf(c, deps.site) ?? '';
    const listener = await changes.listen(actorOf(c));
    const isSignedIn = async () => (await personBehind(deps, sessionId)) !== null;
    c.req.raw.signal.addEventListener('abort', () => listener.close());
    return c.body(streamOf(listener, isSignedIn), 200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    });
  });
}

function streamOf(listener: ChangeListener, isSignedIn: () => Promise<boolean>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isOpen = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!isOpen) {
          isOpen = true;
          controller.enqueue(encoder.encode(`retry: ${retryMs}\nevent: open\ndata:\n\n`));
          return;
        }
        const batches = await listener.next();
        if (batches.length === 0 && !(await isSignedIn().catch(() => true))) {
          controller.enqueue(encoder.encode('event: ended\ndata:\n\n'));
          listener.close();
          return controller.close();
        }
        const event = batches.length === 0 ? 'event: quiet\ndata:\n\n' : `data: ${JSON.stringify(batches)}\n\n`;
        controller.enqueue(encoder.encode(event));
      },
      cancel: () => listener.close(),
    },
    { highWaterMark: 0 },
  );
}
