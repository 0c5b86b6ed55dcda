/** Whether there is a connection, as far as the browser and the last request know. */
import { signal } from "@preact/signals";

export const isOffline = signal(!navigator.onLine);

/** Listens from now on. */
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
