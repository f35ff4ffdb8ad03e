import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Measured<Result> {
  readonly result: Result;
  readonly cpuMs: number;
  readonly peakMemoryMb: number;
}

/** Runs one of this folder's files as a process of its own, so that each side has its own CPU and memory account. */
export function runMeasured<Result>(file: string, options: object): Promise<Measured<Result>> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return new Promise((resolve, reject) => {
    // What is compiled already needs no loader, whose memory would count.
    const child = fork(path, { execArgv: path.endsWith('.js') ? [] : ['--import', import.meta.resolve('tsx')] });
    child.once('message', (message) => {
      const answer = message as { result: Result } & NodeJS.CpuUsage & { peakMemoryKb: number }; // sent by `measure`
      resolve({
        result: answer.result,
        cpuMs: (answer.user + answer.system) / 1_000,
        peakMemoryMb: answer.peakMemoryKb / 1_024,
      });
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`Cannot measure ${file}: it ended with ${code}`)));
    child.send(options);
  });
}

/** The other end: waits for the options, measures `work` from here on, answers, and ends the process. */
export function measure<Options, Result>(work: (options: Options, start: () => void) => Promise<Result>): void {
  process.once('message', (options) => {
    let before = process.cpuUsage();
    const start = () => {
      before = process.cpuUsage();
    };
    work(options as Options, start) // the sender is `runMeasured` of the same bench
      .then((result) => {
        const { user, system } = process.cpuUsage(before);
        const peakMemoryKb = process.resourceUsage().maxRSS;
        process.send?.({ result, user, system, peakMemoryKb }, () => process.exit(0));
      })
      .catch((error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
        process.exit(1);
      });
  });
}

/**
 * CPU time that another process has used so far, from the kernel's own account (Linux; 100 ticks a second).
 *
 * @param withEnded also of its children that have ended
 */
export function cpuMsOf(pid: number, withEnded = false): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const counted = fields.slice(11, withEnded ? 15 : 13);
  return counted.reduce((sum, ticks) => sum + Number(ticks), 0) * 10;
}

/** The most memory that another process has held at once (Linux). */
export function peakMemoryMbOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1_024;
}
