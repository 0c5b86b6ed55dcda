/** The wish of the operator that the process ends, or that it takes what is new. A later second signal ends it at once. */

/** Ctrl-C under npm arrives twice, from the terminal and from npm: what comes so soon is the same wish, not impatience. */
const SAME_WISH_MILLISECONDS = 1_000;

/**
 * How the process is to end. `interrupt`: somebody waits at a terminal. `terminate`: a service manager, behind which there may
 * be a balancer that has to notice. `retire`: another process has taken its place already.
 */
export type Wish = "interrupt" | "terminate" | "retire";

export interface Stop {
  readonly aborted: boolean;
  /** Settles when the process is to end. */
  wait(): Promise<Wish>;
  /** From now on a SIGHUP calls this and no longer ends the process, unless it is of a terminal that closes. */
  onReload(reload: () => void): void;
  /** Ends the process as a signal would. */
  end(wish: Wish): void;
}

/** Listens for SIGINT (Ctrl-C), SIGTERM and SIGHUP from now on. */
export function signalled(): Stop {
  let aborted = false;
  let first = 0;
  let resolve: (wish: Wish) => void;
  let reload: (() => void) | undefined;
  const done = new Promise<Wish>((settle) => (resolve = settle));
  const end = (wish: Wish) => {
    aborted = true;
    resolve(wish);
  };
  const onSignal = (wish: Wish) => () => {
    if (first > 0 && Date.now() - first > SAME_WISH_MILLISECONDS) process.exit(1);
    first ||= Date.now();
    end(wish);
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
