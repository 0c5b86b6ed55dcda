/** After a reload newer processes have an older parent: messages are only ever added, and unknown ones are ignored. */
import { receive, sendToPrimary } from "../../lib/ipc.js";

/** Milliseconds after which the parent process counts as gone. */
const TIMEOUT_MS = 5_000;

/** Milliseconds between two heartbeats. */
export const BEAT_MS = 5_000;

/** Messages from a server process to its parent. */
export type WorkerMessage =
  | { is: "listening"; url: string }
  | { is: "failed"; reason: string }
  /** it accepts no more connections; answered with `ack`, after everything that was sent to it before */
  | { is: "stopped_accepting" }
  /** its event loop runs; sent all the time */
  | { is: "alive" };

/** Messages from the parent to a server process. */
export type PrimaryMessage =
  /** another process has replaced it: it finishes its work, and exits */
  { is: "retire" } | { is: "ack" };

export const tellPrimary: (message: WorkerMessage) => Promise<void> = sendToPrimary;

/** Starts sending heartbeats to the primary process, the first one at once: a process that has never sent one is not checked. */
export function showLife(): void {
  const show = () => void tellPrimary({ is: "alive" });
  show();
  setInterval(show, BEAT_MS).unref();
}

/** Informs the primary process that this one accepts no more connections, and waits until none can be passed to it. */
export async function stopAccepting(): Promise<void> {
  const acknowledged = new Promise<void>((resolve) => {
    receive<PrimaryMessage>(process, { ack: () => resolve() });
    process.once("disconnect", resolve);
    setTimeout(resolve, TIMEOUT_MS).unref();
  });
  await tellPrimary({ is: "stopped_accepting" });
  if (process.connected) await acknowledged;
}
