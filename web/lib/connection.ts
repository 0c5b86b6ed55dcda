/** Whether there is a connection, as far as the browser and the last request know. */
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

/** `fetch`, which tries a second time where the board is too busy. For reads alone. */
export async function fetchTwice(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const first = await fetch(input, init);
  if (first.status !== BUSY) return first;
  const seconds = Number(first.headers.get("retry-after") ?? 0);
  await wait(Math.min(seconds, LONGEST_WAIT_SECONDS) * 1000 || WAIT_MILLISECONDS);
  return fetch(input, init);
}

/** Bytes of bodies that browsers go on sending after the page was left: 64 KiB at once; an answer's end may free them late. */
const KEPT_BYTES = 48 * 1024;
let keptBytes = 0;

const lengthOf = (body: unknown): number =>
  typeof body === "string" ? new TextEncoder().encode(body).length : Number.POSITIVE_INFINITY;

/** `fetch`, which arrives even where the page is left at once, unless its body is too large for that. For what is changed. */
export async function fetchKept(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const bytes = lengthOf(init?.body);
  if (keptBytes + bytes > KEPT_BYTES) return fetch(input, init);
  keptBytes += bytes;
  try {
    return await fetch(input, { ...init, keepalive: true });
  } finally {
    keptBytes -= bytes;
  }
}
