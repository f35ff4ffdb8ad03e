import type { Operation } from './contract.js';

/** What each operation does, as error messages phrase it: "Cannot create the movie: …". */
export const actions: Readonly<Record<Operation, string>> = {
  uploadReference: 'upload the reference',
  estimateMovie: 'estimate the movie',
  createMovie: 'create the movie',
  getMovie: 'read the movie',
  cancelMovie: 'cancel the movie',
  listAssets: 'list the assets',
};
