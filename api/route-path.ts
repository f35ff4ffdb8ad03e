import { MovieId, type Operation, routes } from './contract.js';

/**
 * Returns the path of an operation below the base URL.
 *
 * @throws RangeError when the id is not one of the interface: nothing else may become part of a path.
 */
export function routePath(operation: Operation, movieId?: string): string {
  const { path } = routes[operation];
  if (movieId === undefined) return path;
  if (!MovieId.safeParse(movieId).success) {
    throw new RangeError(
      `Cannot call ${operation}: movie id ${JSON.stringify(movieId)}, expected movie_ and letters or digits`,
    );
  }
  return path.replace('{movie_id}', movieId);
}
