import { pino } from 'pino';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** A log for programs: one JSON document a line, with the level by its name and the time as `at`. */
export interface JsonLog {
  write(level: LogLevel, fields: Readonly<Record<string, unknown>>, message?: string): void;
}

/**
 * @param lowest lines below it are left out
 * @param print one line, without its end
 */
export function createJsonLog(lowest: LogLevel, print: (line: string) => void): JsonLog {
  const log = pino(
    { level: lowest, base: null, timestamp: false, formatters: { level: (level) => ({ level }) } },
    { write: (line) => print(line.trimEnd()) },
  );
  return { write: (level, fields, message) => log[level](fields, message) };
}
