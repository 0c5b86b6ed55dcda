/** Memory for answers that are put together, used again: to make some for each and clear it away takes longer than to fill it. */

/** Bytes of each: a page of posts. What is larger is made for its answer. */
const SIZE = 65_536;
/** How many are kept for later. */
const MOST = 64;

const free: Buffer[] = [];

/** So many bytes, with anything in them. */
export const takeBuffer = (bytes: number): Buffer =>
  bytes > SIZE ? Buffer.allocUnsafe(bytes) : (free.pop() ?? Buffer.allocUnsafeSlow(SIZE)).subarray(0, bytes);

/** Gives a buffer of `takeBuffer` back, whose content nobody reads any more. */
export function giveBuffer({ buffer, length }: Buffer): void {
  if (length <= SIZE && free.length < MOST) free.push(Buffer.from(buffer, 0, SIZE));
}
