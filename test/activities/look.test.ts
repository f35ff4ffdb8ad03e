import { afterEach, expect, test } from 'vitest';
import type { ActivityDeps } from '../../activities/deps.js';
import { look } from '../../activities/look.js';
import { createMovieApi, type MovieApi } from '../../api/movie-api.js';
import { defaultPolling } from '../../domain/polling.js';
import { learnRunTimes } from '../../domain/run-times.js';

let api: MovieApi;
afterEach(() => api.close());

const at = '2026-11-28T12:00:00Z';
const movie = { id: 'movie_1', status: 'completed', created_at: at, updated_at: at };
const row = {
  ...{ rowKey: 'a', movieId: 'movie_1', orderedAtMs: 0, runtimeSeconds: 30, percent: null, deadlineAtMs: null },
  ...{ lookedAtMs: null },
  ...{ cancelDue: false, polls: 1 },
};

function seen(body: unknown, status = 200) {
  api = createMovieApi({
    ...{ baseUrl: 'http://service.test/v1', apiKey: 'key' },
    fetch: async () => Response.json(body, { status }),
  });
  const needed: Pick<ActivityDeps, 'api' | 'clock' | 'polling'> = { api, clock: () => 0, polling: defaultPolling };
  const pace = { learned: learnRunTimes([]), inFlight: 1 };
  return look(needed, row, { pace, signal: new AbortController().signal });
}

test('101 percent do not hide that a movie is completed; the answer alarms', async () => {
  expect(await seen({ ...movie, progress: { percent: 101, stage: 'done' } })).toMatchObject({
    ...{ kind: 'answered', status: 'completed', percent: null, stage: 'done' },
    alarm: expect.stringContaining('progress.percent'),
  });
});

test('an answer about another movie is none', async () => {
  expect(await seen({ ...movie, id: 'movie_2' })).toMatchObject({ kind: 'unanswered' });
});

test('a refusal names the request by which the service finds it', async () => {
  const error = { code: 'not_found', message: 'no such movie', request_id: 'req_9' };
  expect(await seen({ error }, 404)).toMatchObject({
    ...{ kind: 'unanswered', alarm: 'the service answered 404 not_found (request req_9)' },
  });
});

test('the reason of a failed movie carries its request', async () => {
  const error = { code: 'moderation', message: 'no', request_id: 'req_3' };
  expect(await seen({ ...movie, status: 'failed', error })).toMatchObject({
    ...{ status: 'failed', alarm: null, error: { code: 'moderation', message: 'no', requestId: 'req_3' } },
  });
});
