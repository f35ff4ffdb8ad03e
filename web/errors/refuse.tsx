import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { DeskContext } from '../desk-env.js';
import { frameOf } from '../parts/frame.js';
import type { IconName } from '../parts/icon-names.js';
import { Icon, LinkButton } from '../parts/link.js';
import { Brand, GuestPage, Page } from '../parts/page.js';
import { Clock } from '../parts/time.js';

/** Why a request is not answered as it was meant. */
export interface Refused {
  readonly status: ContentfulStatusCode;
  /** What happened, as a headline. */
  readonly title: string;
  /** What it means, and what to do. */
  readonly message: string;
  /** Where to go on; the batches where nothing is said. */
  readonly next?: { readonly path: string; readonly text: string };
  /** What the person wrote, so that it is not lost with the form. */
  readonly written?: readonly string[];
}

/** A page that says so in plain words. */
export function refuse(c: DeskContext, refused: Refused): Response | Promise<Response> {
  const frame = frameOf(c);
  const { status, title } = refused;
  const page =
    frame.actor === null ? (
      <GuestPage frame={frame} title={title} kind="guest">
        <header class="bar-top">
          <Brand />
        </header>
        <main id="main" tabindex={-1}>
          <Quiet {...refused} requestId={frame.requestId} nowMs={frame.nowMs} />
        </main>
      </GuestPage>
    ) : (
      <Page frame={frame} title={title}>
        <Quiet {...refused} requestId={frame.requestId} nowMs={frame.nowMs} />
      </Page>
    );
  return c.html(page, status);
}

function iconOf(status: number): IconName {
  if (status === 404) return 'search';
  if (status === 403) return 'key';
  return status >= 500 ? 'health' : 'info';
}

function Quiet({
  status,
  title,
  message,
  next,
  written = [],
  requestId,
  nowMs,
}: Refused & { requestId: string; nowMs: number }) {
  const { path, text } = next ?? { path: '/', text: 'All batches' };
  return (
    <section class="quiet">
      <span class="big-icon">
        <Icon name={iconOf(status)} />
      </span>
      <p class="soft">{status}</p>
      <h1>{title}</h1>
      <p class="lede">{message}</p>
      {written.map((text) => (
        <label class="field">
          What you wrote
          <textarea class="in" rows={4} readonly>
            {text}
          </textarea>
        </label>
      ))}
      <div class="row">
        <LinkButton to={path}>{text}</LinkButton>
      </div>
      <p class="soft small">
        Request {requestId} · <Clock atMs={nowMs} />
        {status >= 500 && ' · an operator finds it in the log by this number'}
      </p>
    </section>
  );
}
