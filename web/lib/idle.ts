/** Runs something when the browser has nothing else to do; at once where it can't tell. @returns takes it back */
export function whenIdle(run: () => void): () => void {
  if (!("requestIdleCallback" in globalThis)) {
    run();
    return () => undefined;
  }
  const idle = requestIdleCallback(run);
  return () => cancelIdleCallback(idle);
}
