/** Signals by which an operator stops or reloads the process. A second, later signal ends it at once. */

/** Ctrl-C under npm arrives twice, from the terminal and from npm: signals within this time count as one. */
const SAME_SIGNAL_MILLISECONDS = 1_000;

/** The exit code that shells use after Ctrl-C. */
export const INTERRUPTED_CODE = 130;

/**
 * How the process stops. `interrupt`: by Ctrl-C in a terminal. `terminate`: by a service manager, possibly behind a
 * load balancer that has to notice. `retire`: another process has replaced it already.
 */
export type ShutdownReason = "interrupt" | "terminate" | "retire";

export interface Stop {
  readonly aborted: boolean;
  /** Settles when the process should stop. */
  wait(): Promise<ShutdownReason>;
  /** From now on SIGHUP calls this instead of ending the process, unless its terminal was closed. */
  onReload(reload: () => void): void;
  /** Stops the process as a signal would. */
  end(reason: ShutdownReason): void;
}

/** Listens for SIGINT (Ctrl-C), SIGTERM and SIGHUP from now on. */
export function listenForSignals(): Stop {
  let aborted = false;
  let first: number | undefined;
  let resolve: (reason: ShutdownReason) => void;
  let reload: (() => void) | undefined;
  const done = new Promise<ShutdownReason>((settle) => (resolve = settle));
  const end = (reason: ShutdownReason) => {
    aborted = true;
    resolve(reason);
  };
  const onSignal = (reason: ShutdownReason) => () => {
    first ??= performance.now();
    if (performance.now() - first > SAME_SIGNAL_MILLISECONDS) process.exit(1);
    end(reason);
  };
  const hangUp = onSignal("interrupt");
  process.on("SIGINT", onSignal("interrupt"));
  process.on("SIGTERM", onSignal("terminate"));
  process.on("SIGHUP", () => (reload && !process.stdin.isTTY ? reload() : hangUp()));
  return {
    get aborted() {
      return aborted;
    },
    wait: () => done,
    onReload: (work) => void (reload = work),
    end,
  };
}
