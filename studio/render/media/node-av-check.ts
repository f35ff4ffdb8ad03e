import * as av from './node-av.js';

/** FFmpeg answers with negative numbers. @throws {Error} in its words */
export function check(result: number, action: string): void {
  if (result < 0) throw new Error(`Cannot ${action}: FFmpeg answered "${av.FFmpegError.strerror(result)}"`);
}
