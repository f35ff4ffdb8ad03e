import { readFileSync } from 'node:fs';

const lookEveryMs = 50;

/**
 * Calls `exceeded` once the process holds more memory than it may, by the kernel's account: what an image or a film
 * takes once unpacked is not in the heap that Node limits. Without /proc nothing is watched.
 *
 * @returns ends the watch
 */
export function watchMemory(pid: number | undefined, maxMegabytes: number, exceeded: () => void): () => void {
  const timer = setInterval(() => {
    if ((residentMegabytes(pid) ?? 0) > maxMegabytes) exceeded();
  }, lookEveryMs);
  return () => clearInterval(timer);
}

function residentMegabytes(pid: number | undefined): number | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) / 1_024;
  } catch {
    return null;
  }
}
