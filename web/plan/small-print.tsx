import type { Billing } from '../../domain/policy.js';
import type { StoredPlan } from '../../operations/stored-plan.js';
import { billingWords } from '../../reports/wording/billing-words.js';
import { formatDuration } from '../../reports/wording/duration-text.js';
import { Command } from '../parts/command.js';
import { Icon } from '../parts/link.js';

interface AssumedProps {
  readonly batch: StoredPlan['batch'];
  readonly billing: { readonly failed: Billing; readonly canceled: Billing };
}

/** What the price stands on and nobody has proved. */
export function Assumed({ batch, billing }: AssumedProps) {
  const { assumptions, credits, runtimeSeconds } = batch;
  const work =
    runtimeSeconds === null || runtimeSeconds === 0
      ? []
      : [`${(credits ?? 0).toLocaleString('en-US')} credits, ${formatDuration(runtimeSeconds * 1_000)} of making`];
  const lines = [
    billingWords(billing).replace('assumed: a', 'A'),
    'The service charges what it estimated; an invoice decides, and a difference becomes a correction',
    ...assumptions.map((one) => `The service says: ${one}`),
    ...work,
  ];
  return (
    <section class="card" aria-labelledby="assumed">
      <h2 id="assumed">Assumed</h2>
      <ul class="checks">
        {lines.map((line) => (
          <li>
            <Icon name="info" tone="calm" />
            <span>{line}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface DigestProps {
  readonly batch: StoredPlan['batch'];
  readonly digest: string;
}

export function Digest({ batch, digest }: DigestProps) {
  return (
    <section class="card" aria-labelledby="digest">
      <h2 id="digest">Plan digest</h2>
      <p class="digest">{digest.replace(/(.{4})(?=.)/g, '$1 ')}</p>
      <p class="soft small">
        Covers every row with its class, content and amount, the budget path and the rules. One changed word, file or
        price is another digest, and an approval of this one does not apply to it. The same from a terminal:
      </p>
      <Command text={`greenlight status ${batch.batchId} --json`} />
    </section>
  );
}
