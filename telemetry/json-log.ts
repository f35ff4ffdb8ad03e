import { pino } from 'pino';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** A log for programs: one JSON document per line, with the level by name and the time as `at`. */
export interface JsonLog {
  write(level: LogLevel, fields: Readonly<Record<string, unknown>>, message?: string): void;
}

/**
 * @param lowest the lowest level to log
 * @param print receives one line, without its end
 */
export function createJsonLog(lowest: LogLevel, print: (line: string) => void): JsonLog {
  const log = pino(
    { level: lowest, base: null, timestamp: false, formatters: { level: (level) => ({ level }) } },
    { write: (line) => print(line.trimEnd()) },
  );
  return { write: (level, fields, message) => log[level](fields, message) };
}
