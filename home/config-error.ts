/** A setting that cannot be used. The message names it, says what is wrong with it and what would be right. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
