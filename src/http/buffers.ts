/** Reused memory for assembled responses: allocating and collecting a buffer for each takes longer than filling it. */

/** Bytes of each buffer: a page of posts. Larger ones are allocated. */
const SIZE = 65_536;
/** How many unused buffers are kept. */
const MOST = 64;

const free: Buffer[] = [];

/** A buffer of this many bytes, with arbitrary content. */
export const takeBuffer = (bytes: number): Buffer =>
  bytes > SIZE ? Buffer.allocUnsafe(bytes) : (free.pop() ?? Buffer.allocUnsafeSlow(SIZE)).subarray(0, bytes);

/** Returns a buffer of `takeBuffer` that is no longer read. */
export function giveBuffer({ buffer, length }: Buffer): void {
  if (length <= SIZE && free.length < MOST) free.push(Buffer.from(buffer, 0, SIZE));
}
