/** The form of a movie's id (specification, Movie). */
export const movieIdForm = /^movie_[A-Za-z0-9]+$/;

export function isMovieId(text: string): boolean {
  return movieIdForm.test(text);
}
