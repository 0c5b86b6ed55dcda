/** When to run what is not urgent. */

/** The longest wait for the browser to be idle, in milliseconds. */
const LATEST = 1_000;

/** Yields to the browser. */
export const nextTask = async (): Promise<void> => new Promise((resolve) => void setTimeout(resolve));

/** Runs something when the browser is idle; immediately if it can't tell. @returns cancels it */
export function whenIdle(run: () => void): () => void {
  if (!("requestIdleCallback" in globalThis)) {
    run();
    return () => undefined;
  }
  const idle = requestIdleCallback(run, { timeout: LATEST });
  return () => cancelIdleCallback(idle);
}

/** Runs something when the page has loaded its first content, or is scrolled. */
export function whenLoaded(run: () => void): void {
  if (document.readyState === "complete") return run();
  const waiting = new AbortController();
  const begin = () => {
    waiting.abort();
    run();
  };
  for (const event of ["load", "scroll"]) addEventListener(event, begin, { signal: waiting.signal });
}
