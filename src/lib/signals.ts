/** The wish of the operator that the process ends. A later second signal ends it at once. */

/** Ctrl-C under npm arrives twice, from the terminal and from npm: what comes so soon is the same wish, not impatience. */
const SAME_WISH_MILLISECONDS = 1_000;

export interface Stop {
  readonly aborted: boolean;
  wait(): Promise<void>;
}

/** Listens for SIGINT (Ctrl-C), SIGTERM and SIGHUP from now on. */
export function signalled(): Stop {
  let aborted = false;
  let first = 0;
  let resolve: () => void;
  const done = new Promise<void>((settle) => (resolve = settle));
  const onSignal = () => {
    if (aborted && Date.now() - first > SAME_WISH_MILLISECONDS) process.exit(1);
    if (aborted) return;
    aborted = true;
    first = Date.now();
    resolve();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
  return {
    get aborted() {
      return aborted;
    },
    wait: () => done,
  };
}
