/** Whether there is a connection, according to the browser and the last request. */
import { signal } from "@preact/signals";

export const isOffline = signal(!navigator.onLine);

/** Starts listening. */
export function watchConnection(): void {
  addEventListener("offline", () => (isOffline.value = true));
  addEventListener("online", () => (isOffline.value = false));
}

const BUSY = 503;
const WAIT_MILLISECONDS = 1_000;
const LONGEST_WAIT_SECONDS = 5;

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The longest waits for a response, which on bad networks may never come. */
const READ_MILLISECONDS = 30_000;
export const WRITE_MILLISECONDS = 120_000; // an upload from a URL, which the board downloads first

/** `fetch` with a time limit. */
const fetchInTime = (input: RequestInfo | URL, init?: RequestInit, most = READ_MILLISECONDS): Promise<Response> => {
  const late = new AbortController();
  setTimeout(() => late.abort(), most);
  return fetch(input, { ...init, signal: AbortSignal.any([late.signal, ...(init?.signal ? [init.signal] : [])]) });
};

/** `fetch` that retries once if the board is busy, or gives no answer although there is a connection. For reads only. */
export async function fetchTwice(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const first = await fetchInTime(input, init).catch((error: unknown) => {
    if (isOffline.value || init?.signal?.aborted) throw error;
    return null; // as right after the connection is back
  });
  if (first && first.status !== BUSY) return first;
  const seconds = Number(first?.headers.get("retry-after"));
  await wait(Math.min(seconds, LONGEST_WAIT_SECONDS) * 1000 || WAIT_MILLISECONDS);
  return fetchInTime(input, init);
}

/** Bytes of bodies that browsers send on after the page was left: 64 KiB in all, which finished requests may release late. */
const KEPT_BYTES = 48 * 1024;
let keptBytes = 0;

const lengthOf = (body: unknown): number =>
  typeof body === "string" ? new TextEncoder().encode(body).length : Number.POSITIVE_INFINITY;

/** `fetch` for writes, which arrives even if the page is left at once, unless its body is too large for that. */
export async function fetchKept(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const bytes = lengthOf(init?.body);
  if (keptBytes + bytes > KEPT_BYTES) return fetchInTime(input, init, WRITE_MILLISECONDS);
  keptBytes += bytes;
  try {
    return await fetchInTime(input, { ...init, keepalive: true }, WRITE_MILLISECONDS);
  } finally {
    keptBytes -= bytes;
  }
}
