import { createRequire } from 'node:module';

/**
 * Loads a package where it is used first, for those that many commands may need and most runs do not: together they
 * take longer to load than a small manifest takes to check. The caller says its type.
 */
export const lazyRequire = createRequire(import.meta.url);
