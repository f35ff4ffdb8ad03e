import type { DeskHealth } from '../../operations/health/desk-health.js';
import { printable } from '../../reports/wording/printable.js';
import { formatMoment } from '../../reports/wording/time-text.js';
import { Icon } from '../parts/link.js';

interface NoticesCardProps extends Pick<DeskHealth, 'channels'> {
  readonly nowMs: number;
}

/** Where people are told of things. What fails there is said here and nowhere else: a notice of it would fail too. */
export function NoticesCard({ channels, nowMs }: NoticesCardProps) {
  return (
    <section class="card" aria-labelledby="notices">
      <h2 id="notices">Notices</h2>
      {channels.length === 0 ? (
        <p class="soft">
          None sent yet. docs/notices.md explains how to get them in a chat, by e-mail or in another system.
        </p>
      ) : (
        <ul class="checks">
          {channels.map(({ channel, tries, failingSinceMs, offSinceMs, error, waiting }) => (
            <li>
              <Icon
                name={failingSinceMs === null ? 'delivered' : 'failed'}
                tone={failingSinceMs === null ? 'good' : 'bad'}
              />
              <span class="any">
                <b>{channel}</b>: {waiting === 0 ? 'nothing waits' : `${waiting.toLocaleString('en-US')} to send`}
              </span>
              {failingSinceMs !== null && (
                <span class="sub any">
                  Nothing is taken there since {formatMoment(failingSinceMs, nowMs)},{' '}
                  {tries === 1 ? '1 try' : `${tries} tries`}: {printable(error ?? '')}. Nothing is lost;{' '}
                  {offSinceMs === null ? 'it is tried again.' : `it is off since ${formatMoment(offSinceMs, nowMs)}:`}
                  {offSinceMs !== null && <code class="mono"> greenlight notices on {channel}</code>}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
