import type { Child, PropsWithChildren } from 'hono/jsx';
import type { KeptAnswer } from '../errors/kept-answer.js';
import { Crumbs } from '../parts/crumbs.js';
import type { Frame } from '../parts/frame.js';
import { Button, Icon, LinkButton, PostForm } from '../parts/link.js';
import { AsOf } from '../parts/live.js';
import { Page } from '../parts/page.js';

export interface ActionPageProps {
  readonly frame: Frame;
  readonly batchId: string;
  /** What would be done, as a question. */
  readonly title: string;
  readonly lede: Child;
  /** Where the form goes. */
  readonly to: string;
  /** Fields that say again what the page showed. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly button: string;
  readonly kind?: 'go' | 'stop';
  /** Whether somebody has to say why. */
  readonly reason: 'required' | 'optional' | 'none';
  /** What was wrong with the form that was sent, or is different now, and what was typed. */
  readonly kept?: KeptAnswer | undefined;
  /** Why there is nothing to do; then there is no form. */
  readonly nothing?: string | undefined;
}

/** An act, what it would do in rows and money, and its button. Nothing happens before that. */
export function ActionPage(props: PropsWithChildren<ActionPageProps>) {
  const { frame, batchId, title, lede, kept, children, nothing } = props;
  const back = `/batches/${batchId}`;
  return (
    <Page frame={frame} title={title} here="/">
      <div class="top">
        <Crumbs parts={[{ text: 'Batches', path: '/' }, { text: batchId, path: back }, { text: props.button }]} />
        <div class="row">
          <h1>{title}</h1>
          <AsOf />
        </div>
        <p class="lede">{lede}</p>
      </div>
      {kept && (
        <p class="say warn" role="alert">
          <Icon name="review" />
          <span>{kept.message}</span>
        </p>
      )}
      {children}
      {nothing ? (
        <section class="card narrow">
          <p>{nothing}</p>
          <div class="row">
            <LinkButton to={back}>Back to {batchId}</LinkButton>
          </div>
        </section>
      ) : (
        <ActForm {...props} back={back} />
      )}
    </Page>
  );
}

function ActForm(props: ActionPageProps & { readonly back: string }) {
  const { to, fields = {}, reason, button, kind = 'go', kept, back } = props;
  return (
    <PostForm class="card narrow" to={to}>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {reason !== 'none' && (
        <div class="field">
          <label for="reason">Reason{reason === 'optional' && ' (optional)'}</label>
          <input
            {...{ class: 'in', id: 'reason', name: 'reason', maxlength: 500, required: reason === 'required' }}
            value={kept?.typed?.reason}
          />
          <p class="hint">Kept in the audit log</p>
        </div>
      )}
      <div class="row">
        <Button kind={kind}>{button}</Button>
        <LinkButton to={back} kind="ghost">
          Leave it as it is
        </LinkButton>
      </div>
    </PostForm>
  );
}
