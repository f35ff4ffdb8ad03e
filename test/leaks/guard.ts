import { afterAll, expect } from 'vitest';
import { noticeTimersAndThreads, watchForLeaks } from './leaks.js';

/** Before and after each file of tests; its hook is the first one said, and so the last one run. */
noticeTimersAndThreads();
const watch = watchForLeaks();
afterAll(async () => {
  const leaks = await watch.leaks();
  watch.end();
  expect(leaks, 'left behind by this file').toEqual([]);
});
