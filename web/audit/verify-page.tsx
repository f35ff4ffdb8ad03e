import type { BooksVerdict } from '../../operations/audit.js';
import { capital } from '../../reports/wording/capital.js';
import { shortDigest } from '../../reports/wording/plan-words.js';
import { differenceWords, faultWords, outsideWords } from '../../reports/wording/verdict-words.js';
import { Command } from '../parts/command.js';
import { Crumbs } from '../parts/crumbs.js';
import type { Frame } from '../parts/frame.js';
import type { IconName } from '../parts/icon-names.js';
import { Icon } from '../parts/link.js';
import { AsOf } from '../parts/live.js';
import { Page } from '../parts/page.js';

interface VerifyPageProps {
  readonly frame: Frame;
  readonly verdict: BooksVerdict;
  readonly isSound: boolean;
}

const shown = 100;

interface Check {
  readonly icon: IconName;
  readonly tone: string;
  readonly words: string;
  readonly lines: readonly string[];
}

/** What `greenlight audit verify` says, for whoever has no terminal. It repairs nothing. */
export function VerifyPage({ frame, verdict, isSound }: VerifyPageProps) {
  return (
    <Page frame={frame} title="Verify the books" here="/audit">
      <div class="top">
        <Crumbs parts={[{ text: 'Audit', path: '/audit' }, { text: 'Verify' }]} />
        <div class="row">
          <h1>{isSound ? 'The books are whole' : 'The books do not add up'}</h1>
          <AsOf />
        </div>
        {!isSound && (
          <p class="say bad" role="alert">
            <Icon name="failed" />
            <span>
              <b>Nothing was repaired.</b> Stop ordering until someone has looked into it.
            </span>
          </p>
        )}
      </div>
      <section class="card" aria-labelledby="checked">
        <h2 id="checked">What was compared</h2>
        <ul class="checks">
          {checksOf(verdict).map(({ icon, tone, words, lines }) => (
            <li>
              <Icon name={icon} tone={tone} />
              <span class="any">{words}</span>
              {lines.slice(0, shown).map((line) => (
                <span class="sub any">{line}</span>
              ))}
              {lines.length > shown && <span class="sub">and {lines.length - shown} more: see the command below</span>}
            </li>
          ))}
        </ul>
      </section>
      <Command text="greenlight audit verify" />
    </Page>
  );
}

function checksOf({ chain, differences, faults, lateMovies, outside }: BooksVerdict): readonly Check[] {
  const result = (isGood: boolean, words: string, lines: readonly string[] = []): Check =>
    isGood ? { icon: 'delivered', tone: 'good', words, lines } : { icon: 'failed', tone: 'bad', words, lines };
  const late: Check = {
    ...{ icon: 'review', tone: 'warn', words: 'Movies that were made for orders which had been given up' },
    lines: lateMovies.map(faultWords),
  };
  const head = chain.ok && chain.head !== '' ? `, head ${shortDigest(chain.head)}` : '';
  return [
    chain.ok
      ? result(true, `Audit: the chain of ${chain.length.toLocaleString('en-US')} records is whole${head}`)
      : result(false, `Audit: the chain is broken at record ${chain.brokenAt}`),
    result(
      differences.length === 0,
      differences.length === 0
        ? 'Money: every counter matches its entries'
        : 'Money: counters differ from their entries',
      differences.map(differenceWords),
    ),
    result(
      faults.length === 0,
      faults.length === 0 ? 'Orders, plans and decisions say the same as the books' : 'What contradicts the books',
      faults.map(faultWords),
    ),
    outside === null
      ? { icon: 'info', tone: 'calm', words: capital(outsideWords(outside)), lines: [] }
      : result(true, capital(outsideWords(outside))),
    ...(lateMovies.length === 0 ? [] : [late]),
  ];
}
