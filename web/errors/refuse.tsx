import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { DeskContext } from '../desk-env.js';
import { formPage, writtenIn } from '../guard/form-page.js';
import { frameOf } from '../parts/frame.js';
import type { IconName } from '../parts/icon-names.js';
import { Icon, LinkButton } from '../parts/link.js';
import { Brand, GuestPage, Page } from '../parts/page.js';
import { Clock } from '../parts/time.js';
import { keepAnswer } from './kept-answer.js';

/** Why a request is not answered as it was meant. */
export interface Refused {
  readonly status: number;
  /** What happened, as a headline. */
  readonly title: string;
  /** What it means, and what to do. */
  readonly message: string;
  /** Where to go on; the batches where nothing is said. */
  readonly next?: { readonly path: string; readonly text: string };
  /** What the person wrote, so that it is not lost with the form. */
  readonly written?: readonly string[];
}

/** Why a form is not accepted that may be sent again, put right. */
export interface RefusedForm {
  readonly status: number;
  readonly message: string;
  /** The page of the form, where it is not the one that it was sent from. */
  readonly at?: string;
  /** What is filled in again. */
  readonly typed?: Record<string, string>;
}

/**
 * Says so in plain words: to a form, at an address that can be loaded again; else at once. What is our own fault is said
 * at once to a form, too: to send it again is right then.
 */
export function refuse(c: DeskContext, refused: Refused): Response | Promise<Response> {
  const form = c.get('form');
  if (form === undefined || refused.status >= 500) return refusalPage(c, refused);
  const written = refused.written ?? writtenIn(form);
  const kept = keepAnswer(c, { ...refused, at: formPage(c), written: [...written] });
  return kept ?? refusalPage(c, { ...refused, written });
}

/** A sentence on the page of the form that is refused, which has again what was typed. */
export function refuseForm(c: DeskContext, refused: RefusedForm): Response | Promise<Response> {
  const { at = formPage(c), status, message, typed } = refused;
  const kept = keepAnswer(c, { at, status, message, ...(typed && { typed }) });
  const title = 'This form is not accepted';
  return kept ?? refusalPage(c, { status, title, message, written: Object.values(typed ?? {}) });
}

/** The page itself, as the answer to this request. */
export function refusalPage(c: DeskContext, refused: Refused): Response | Promise<Response> {
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
  return c.html(page, status as ContentfulStatusCode);
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
