import { type Asset, AssetList, Estimate, limits, Movie, type MovieRequest, Reference } from '../api/contract.js';
import { bodyOf, refused } from './answers.js';
import { canceledRequest, largestRequest, minimalRequest, sampleRequest } from './briefs.js';
import { type Answer, type Call, type Calls, createCalls } from './calls.js';
import { NotTestable, Violation } from './clause.js';
import { download } from './download.js';
import { type FilmFacts, filmFactsOf } from './film-facts.js';
import { picture, uploadForm } from './samples.js';
import type { Service } from './service.js';

export interface Made {
  readonly movie: Movie;
  readonly answer: Answer;
  readonly request: MovieRequest;
  /** Whether the answer is of a movie that had been made before. */
  readonly isKnown: boolean;
}

/**
 * What the clauses share: one way of calling, and the things that were made. Each thing is made for the first clause
 * that asks for it. That clause reports what was wrong with it; for later ones it is only missing.
 */
export interface Session extends Calls {
  readonly service: Service;
  /** Of three movies; the first two are the shortest and the longest that the interface allows. */
  readonly keys: { readonly movie: string; readonly canceled: string; readonly largest: string };
  /** The one movie that is waited for. */
  movie(): Promise<Made>;
  completedMovie(): Promise<Movie>;
  /** Made without a key, and left alone. */
  minimalMovie(): Promise<Made>;
  largestMovie(): Promise<Made>;
  /** The one movie that is canceled as soon as it is made. */
  canceledMovie(): Promise<Made & { readonly cancel: Answer }>;
  estimate(): Promise<Estimate>;
  /** The one uploaded picture; `usableReference`, once a movie request with it has been estimated. */
  reference(): Promise<Reference>;
  usableReference(): Promise<Reference>;
  /** The answer to a create that is not a movie request: 400. */
  refusal(): Promise<Answer>;
  assets(): Promise<{ readonly assets: readonly Asset[]; readonly answer: Answer }>;
  finalVideo(): Promise<{ readonly video: Asset; readonly answer: Answer }>;
  film(): Promise<FilmFacts & { readonly video: Asset; readonly answer: Answer }>;
  /** Cancels what is still running; returns the movies that could not be canceled. */
  cleanUp(): Promise<readonly string[]>;
}

export interface SessionOptions {
  /** The most creates to send. */
  readonly maxCreates: number;
  /** How long to wait for the one movie that is waited for. */
  readonly patienceMs: number;
}

export const pollMs = 500;

export function createSession(service: Service, options: SessionOptions): Session {
  const calls = createCalls(service, options);
  const keys = { movie: randomText(8), canceled: randomText(255), largest: randomText(40) };
  const movies = moviesOf(calls, { service, keys, patienceMs: options.patienceMs });
  const reference = shared('a reference', async () =>
    bodyOf(await calls.call('uploadReference', { body: uploadForm(picture()) }), Reference),
  );
  const estimate = shared('an estimate', async () =>
    bodyOf(await calls.call('estimateMovie', { body: sampleRequest }), Estimate),
  );
  const usableReference = shared('a reference that can be used', async () => {
    await estimate();
    const { id } = await reference();
    const references = [{ reference_id: id, role: 'product', description: 'In the hand of the captain' }];
    bodyOf(await calls.call('estimateMovie', { body: { ...sampleRequest, references } }), Estimate);
    return reference();
  });
  return {
    service,
    ...calls,
    keys,
    ...movies,
    reference,
    usableReference,
    estimate,
    refusal: shared('a create that is refused with 400', async () => {
      const answer = await calls.call('createMovie', { body: {} });
      refused(answer, 400);
      return answer;
    }),
    largestMovie: shared('a movie of the largest size', async () => {
      const ids = Array.from({ length: limits.referencesMax }).fill((await usableReference()).id) as string[];
      return create(calls, largestRequest(ids), keys.largest);
    }),
    ...assetsOf(calls, service, movies.completedMovie),
    cleanUp: () => cancelAll(calls),
  };
}

interface MoviesDeps extends Pick<Session, 'service' | 'keys'> {
  readonly patienceMs: number;
}

function moviesOf(calls: Calls, { service, keys, patienceMs }: MoviesDeps) {
  const movie = shared('a movie', () => {
    const webhook = service.events && { webhook_url: service.events.url };
    return create(calls, { ...sampleRequest, ...webhook }, keys.movie);
  });
  return {
    movie,
    minimalMovie: shared('a movie made without a key', () => create(calls, minimalRequest, null)),
    canceledMovie: shared('a canceled movie', async () => {
      const made = await create(calls, canceledRequest, keys.canceled);
      return { ...made, cancel: await calls.call('cancelMovie', { movieId: made.movie.id }) };
    }),
    completedMovie: shared('a completed movie', async () => {
      const { id } = (await movie()).movie;
      for (let waitedMs = 0; ; waitedMs += pollMs) {
        const state = bodyOf(await calls.call('getMovie', { movieId: id }), Movie);
        if (state.status === 'completed') return state;
        const ended = ['failed', 'canceled'].includes(state.status);
        if (ended) throw new NotTestable(`the movie made for this ended as ${state.status}`);
        if (waitedMs >= patienceMs) throw new NotTestable(`the movie was not completed within ${patienceMs / 1000} s`);
        await service.sleep(pollMs);
      }
    }),
  };
}

function assetsOf(calls: Calls, service: Service, completedMovie: Session['completedMovie']) {
  const assets = shared('the list of assets', async () => {
    const answer = await calls.call('listAssets', { movieId: (await completedMovie()).id });
    return { assets: bodyOf(answer, AssetList).data, answer };
  });
  const finalVideo = shared('a final_video', async () => {
    const { assets: listed, answer } = await assets();
    const video = listed.find(({ type }) => type === 'final_video');
    if (!video) throw new Violation('lists no final_video', answer);
    return { video, answer };
  });
  const film = shared('a film that opens', async () => {
    const { video, answer } = await finalVideo();
    const facts = await filmFactsOf((await download(service, video, answer)).bytes);
    if (!facts) throw new Violation('gave a final video that cannot be read to its end', answer);
    return { ...facts, video, answer };
  });
  return { assets, finalVideo, film };
}

/** @throws Violation unless it is answered with 202 and the Movie record. */
export async function create(calls: Calls, request: MovieRequest, key: string | null, call: Call = {}): Promise<Made> {
  const headers = key === null ? {} : { 'Idempotency-Key': key };
  const known = new Set(calls.account.made.keys());
  const answer = await calls.call('createMovie', { ...call, body: request, headers });
  const movie = bodyOf(answer, Movie, 202);
  return { movie, answer, request, isKnown: known.has(movie.id) };
}

async function cancelAll({ account, call }: Calls): Promise<readonly string[]> {
  const left: string[] = [];
  for (const [movieId, apiKey] of account.made) {
    const answer = await call('cancelMovie', { movieId, apiKey }).catch(() => null);
    if (!answer || answer.status >= 300) left.push(movieId);
  }
  return left;
}

/** Makes a thing once. If something is wrong with it, only the clause that asked first fails. */
function shared<T>(what: string, make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return async () => {
    if (!made) {
      made = make();
      return made;
    }
    try {
      return await made;
    } catch (error) {
      throw error instanceof Violation ? new NotTestable(`it needs ${what}, which is not available`) : error;
    }
  };
}

function randomText(length: number): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => letters[byte % letters.length]).join('');
}
