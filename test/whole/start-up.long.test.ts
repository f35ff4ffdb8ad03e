import { test } from 'vitest';
import { leaveStart, ways } from './leave-start.js';

test.each(ways)(
  'whoever leaves by %s at any of 40 moments of the start goes on with one set of parts',
  {
    timeout: 40 * 60_000,
  },
  (_, leave) => leaveStart(leave, 40),
);
