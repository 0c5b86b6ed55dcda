/** The wish of the operator that the process ends. A second signal ends it at once. */

export interface Stop {
  readonly aborted: boolean;
  wait(): Promise<void>;
}

/** Listens for SIGINT (Ctrl-C), SIGTERM and SIGHUP from now on. */
export function signalled(): Stop {
  let aborted = false;
  let resolve: () => void;
  const done = new Promise<void>((settle) => (resolve = settle));
  const onSignal = () => {
    if (aborted) process.exit(1);
    aborted = true;
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
