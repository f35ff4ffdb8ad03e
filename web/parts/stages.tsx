import type { Child } from 'hono/jsx';
import type { IconName } from './icon-names.js';
import { Icon } from './link.js';

export interface Stage {
  /** `ask`: it waits for a person. */
  readonly mark: 'done' | 'now' | 'ask' | 'todo';
  readonly icon: IconName;
  readonly word: string;
  readonly note: Child;
}

const spoken = { done: 'done', now: 'under way', ask: 'waits for a person', todo: 'to come' } as const;

/** The way of a batch, from check to close. */
export function Stages({ stages }: { readonly stages: readonly Stage[] }) {
  return (
    <ol class="stages" aria-label="Stages" data-part="stages">
      {stages.map(({ mark, icon, word, note }) => (
        <li class={mark}>
          <Icon name={icon} />
          <b>
            {word}
            <span class="vh"> ({spoken[mark]})</span>
          </b>
          <span class="sub">{note}</span>
        </li>
      ))}
    </ol>
  );
}
