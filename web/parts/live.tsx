import { useFrame } from './frame.js';
import { Clock } from './time.js';

/** When the page was drawn; with scripts, also whether it is kept up to date, and since when it is not. */
export function AsOf() {
  const { nowMs } = useFrame();
  return (
    <p class="live end">
      <span data-live-status role="status" />
      <span data-part="as-of">
        as of <Clock atMs={nowMs} />
      </span>
    </p>
  );
}
