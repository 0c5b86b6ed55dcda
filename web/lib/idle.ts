/** When to do what is not urgent. */

/** Until then the browser has something else to do at most, in milliseconds. */
const LATEST = 1_000;

/** Lets the browser do what it has to in between. */
export const nextTask = async (): Promise<void> => new Promise((resolve) => void setTimeout(resolve));

/** Runs something when the browser has nothing else to do; at once where it can't tell. @returns takes it back */
export function whenIdle(run: () => void): () => void {
  if (!("requestIdleCallback" in globalThis)) {
    run();
    return () => undefined;
  }
  const idle = requestIdleCallback(run, { timeout: LATEST });
  return () => cancelIdleCallback(idle);
}

/** Runs something when the page has loaded what it shows first, or is scrolled. */
export function whenLoaded(run: () => void): void {
  if (document.readyState === "complete") return run();
  const waiting = new AbortController();
  const begin = () => {
    waiting.abort();
    run();
  };
  for (const event of ["load", "scroll"]) addEventListener(event, begin, { signal: waiting.signal });
}
