import { z } from 'zod';
import { statusMeaning } from '../../domain/answers/movie-status.js';

/** Ids are short at any service; the limit keeps what a stranger sends out of memory and queries. */
const movieId = z
  .string()
  .max(200)
  .regex(/^movie_[A-Za-z0-9]+$/)
  .optional()
  .catch(undefined);
const word = z.string().optional().catch(undefined);
const Fields = z.object({ id: movieId, movie_id: movieId, status: word, type: word });
/**
 * The interface does not show what an event looks like. The movie's id is looked for where services put it: in the
 * movie that comes as `data`, or in the event itself.
 */
const MovieEvent = Fields.extend({ data: Fields.optional().catch(undefined) });

/**
 * Which movie an event makes worth a look. Null where it names none, or where it says that the movie is still under
 * way, which polling shows soon enough: a service tells four of these for each end. A lie costs one look, or a wait.
 *
 * @param body the event's JSON, parsed.
 */
export function movieToLookAt(body: unknown): string | null {
  const parsed = MovieEvent.safeParse(body);
  if (!parsed.success) return null;
  const { data, ...event } = parsed.data;
  const id = data?.id ?? data?.movie_id ?? event.movie_id ?? event.id ?? null;
  const status = data?.status ?? event.status ?? event.type?.split('.').at(-1) ?? '';
  const meaning = statusMeaning(status);
  return meaning.kind === 'under_way' && meaning.alarm === null ? null : id;
}
