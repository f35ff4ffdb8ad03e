import type { PropsWithChildren } from 'hono/jsx';
import { Icon } from './link.js';

/** What was wrong with what was sent; it is read out at once. */
export function Problem({ children }: PropsWithChildren) {
  return (
    <p class="say bad" role="alert">
      <Icon name="failed" />
      <span>{children}</span>
    </p>
  );
}
