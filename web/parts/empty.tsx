import type { Child, PropsWithChildren } from 'hono/jsx';
import type { IconName } from './icon-names.js';
import { Icon } from './link.js';

/** Where a list would stand and there is nothing: why, and what to do. */
export function Empty({
  icon,
  title,
  action,
  children,
}: PropsWithChildren<{ readonly icon: IconName; readonly title: string; readonly action?: Child }>) {
  return (
    <div class="quiet inside">
      <span class="big-icon">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      <p class="lede">{children}</p>
      {action && <div class="row">{action}</div>}
    </div>
  );
}
