import { answers, type Breakage, type Mutant, problem, responses, withJson } from './mutant.js';

const get = 'getMovie';
const cancel = 'cancelMovie';
const readers = [get, cancel] as const;

/** Reading and canceling. */
export const movieMutants: readonly Mutant[] = [
  {
    name: 'gets a word of its own',
    clause: 'get.movie',
    breakage: answers(get, (movie) => ({ ...movie, status: 'upscaling' })),
  },
  {
    name: 'spells canceled with two l',
    clause: 'cancel.running',
    breakage: answers(cancel, (movie) => ({
      ...movie,
      status: movie.status === 'canceled' ? 'cancelled' : movie.status,
    })),
  },
  {
    name: 'counts beyond 100 percent',
    clause: 'get.movie',
    breakage: answers(get, (movie) => ({ ...movie, progress: { percent: 101, stage: 'x' } })),
  },
  {
    name: 'counts fractions of a percent',
    clause: 'get.movie',
    breakage: answers(get, (movie) => ({ ...movie, progress: { percent: 12.5, stage: 'x' } })),
  },
  {
    name: 'gives progress as a number',
    clause: 'get.movie',
    breakage: answers(get, (movie) => ({ ...movie, progress: 40 })),
  },
  {
    name: 'gives the error of a movie as text',
    clause: 'get.movie',
    breakage: answers(get, (movie) => ({ ...movie, error: 'none' })),
  },
  {
    name: 'gets the movie that was made last',
    clause: 'get.movie',
    breakage: () => {
      let last = '';
      return async (request, next, operation) => {
        if (operation === get && last !== '') return next(new Request(request.url.replace(/movie_\w+/, last), request));
        const response = await next(request);
        if (operation === 'createMovie' && response.ok) last = ((await response.clone().json()) as { id: string }).id;
        return response;
      };
    },
  },
  {
    name: 'gets another prompt than was asked for',
    clause: 'get.same-job',
    breakage: answers(get, (movie) => ({ ...movie, prompt: String(movie.prompt).toUpperCase() })),
  },
  {
    name: 'gets another length than was asked for',
    clause: 'get.same-job',
    breakage: answers(get, (movie) => ({ ...movie, duration_seconds: 30 })),
  },
  {
    name: 'shows the time of the get as created_at',
    clause: 'get.same-job',
    breakage: answers(get, (movie) => ({
      ...movie,
      created_at: '2026-06-01T00:00:00Z',
      updated_at: '2026-06-01T00:00:00Z',
    })),
  },
  {
    name: 'takes a completed job up again',
    clause: 'get.completed-stays',
    breakage: () => {
      let completed = 0;
      return async (request, next, operation) => {
        const response = await next(request);
        if (operation !== get || !response.ok) return response;
        const movie = (await response.json()) as { status: string };
        completed += movie.status === 'completed' ? 1 : 0;
        // Not before it has been waited for.
        return withJson(response, completed > 3 ? { ...movie, status: 'queued' } : movie);
      };
    },
  },
  ...(['getMovie', 'cancelMovie', 'listAssets'] as const).flatMap((operation): Mutant[] => [
    {
      name: `${operation} makes up a movie that does not exist`,
      clause: `${operation}.unknown`,
      breakage: responses(
        operation,
        (code) => code === 404,
        () => success(operation),
      ),
    },
    {
      name: `${operation} fails on an id of another form`,
      clause: `${operation}.malformed`,
      breakage: responses(
        operation,
        (code) => code === 400,
        () => problem(500, 'internal_error'),
      ),
    },
  ]),
  {
    name: 'takes an id without movie_',
    clause: 'getMovie.malformed',
    breakage: () => async (request, next) =>
      next(new Request(request.url.replace(/\/movies\/(?!movie_|estimate)(\w{8,})/, '/movies/movie_$1'), request)),
  },
  {
    name: 'cancels nothing',
    clause: 'cancel.running',
    breakage: answers(cancel, (movie) => ({ ...movie, status: 'rendering' })),
  },
  {
    name: 'answers a cancel without a body',
    clause: 'cancel.running',
    breakage: responses(
      cancel,
      (code) => code === 200,
      () => new Response(null, { status: 204 }),
    ),
  },
  {
    name: 'answers a cancel with another job',
    clause: 'cancel.same-job',
    breakage: answers(cancel, (movie) => ({ ...movie, prompt: 'A prompt of somebody else' })),
  },
  {
    name: 'answers a cancel with another id',
    clause: 'cancel.same-job',
    breakage: answers(cancel, (movie) => ({ ...movie, id: 'movie_other' })),
  },
  {
    name: 'goes on after a cancel',
    clause: 'cancel.stays',
    breakage: answers(get, (movie) => ({ ...movie, status: movie.status === 'canceled' ? 'rendering' : movie.status })),
  },
  {
    name: 'completes a canceled job',
    clause: 'cancel.stays',
    breakage: answers(get, (movie) => ({ ...movie, status: movie.status === 'canceled' ? 'completed' : movie.status })),
  },
  { name: 'refuses a second cancel', clause: 'cancel.again', breakage: secondCancel(() => problem(409, 'conflict')) },
  {
    name: 'moves updated_at at a second cancel',
    clause: 'cancel.again',
    breakage: secondCancel(async (response) =>
      withJson(response, { ...((await response.json()) as object), updated_at: '2027-01-01T00:00:00Z' }),
    ),
  },
  {
    name: 'refuses to cancel what is completed',
    clause: 'cancel.completed',
    breakage: () => async (request, next, operation) => {
      const response = await next(request);
      if (operation !== cancel || !response.ok) return response;
      const movie = (await response.json()) as { status: string };
      return movie.status === 'completed' ? problem(409, 'conflict') : withJson(response, movie);
    },
  },
  {
    name: 'cancels what is completed',
    clause: 'cancel.completed',
    breakage: () => {
      const lost = new Set<string>();
      return async (request, next, operation) => {
        const response = await next(request);
        if (!readers.some((each) => each === operation) || !response.ok) return response;
        const movie = (await response.json()) as { id: string; status: string };
        if (operation === cancel) lost.add(movie.id);
        return withJson(response, lost.has(movie.id) ? { ...movie, status: 'canceled' } : movie);
      };
    },
  },
  {
    name: 'shows a completed job with 0 percent once it was canceled',
    clause: 'cancel.completed',
    breakage: answers(cancel, (movie) => ({
      ...movie,
      ...(movie.status === 'completed' && { progress: { percent: 0, stage: 'completed' } }),
    })),
  },
  {
    name: 'cancels every job of the key',
    clause: 'cancel.no-other',
    breakage: () => {
      let canceled = false;
      return async (request, next, operation) => {
        const response = await next(request);
        canceled ||= operation === cancel && response.ok;
        if (operation !== get || !canceled || !response.ok) return response;
        const movie = (await response.json()) as { status: string };
        return withJson(response, movie.status === 'completed' ? movie : { ...movie, status: 'canceled' });
      };
    },
  },
];

function secondCancel(change: (response: Response) => Response | Promise<Response>): () => Breakage {
  return () => {
    const canceled = new Set<string>();
    return async (request, next, operation) => {
      const response = await next(request);
      if (operation !== cancel || !response.ok) return response;
      const again = canceled.has(request.url);
      canceled.add(request.url);
      return again ? change(response) : response;
    };
  };
}

function success(operation: 'getMovie' | 'cancelMovie' | 'listAssets'): Response {
  const at = '2026-01-01T00:00:00Z';
  const body =
    operation === 'listAssets' ? { data: [] } : { id: 'movie_none', status: 'queued', created_at: at, updated_at: at };
  return withJson(new Response(null, { status: 200 }), body);
}
