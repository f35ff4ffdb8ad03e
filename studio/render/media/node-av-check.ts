import * as av from './node-av.js';

/** FFmpeg reports errors as negative numbers. @throws {Error} with its own message */
export function check(result: number, action: string): void {
  if (result < 0) throw new Error(`Cannot ${action}: FFmpeg answered "${av.FFmpegError.strerror(result)}"`);
}
