/**
 * After a reload newer processes have an older parent: messages are only ever added, and unknown ones are ignored.
 */

/** Milliseconds after which the parent process counts as gone. */
const PATIENCE = 5_000;

/** Messages from a server process to its parent. */
export type WorkerMessage =
  /** it listens, at this URL */
  | { is: "listening"; url: string }
  /** it can't start, with the reason */
  | { is: "failed"; reason: string }
  /** it accepts no more connections; answered with `ack`, after everything that was sent to it before */
  | { is: "stopped_accepting" };

/** Messages from the parent to a server process. */
export type PrimaryMessage =
  /** another process has replaced it: it finishes its work, and exits */
  | { is: "retire" }
  /** the answer to `stopped_accepting` */
  | { is: "ack" };

const isOf = (message: unknown, words: string[]): boolean =>
  words.includes(String((message as { is?: unknown } | null)?.is));

/** Whether this is a message of ours; libraries send some of their own. */
export const isWorkerMessage = (message: unknown): message is WorkerMessage =>
  isOf(message, ["listening", "failed", "stopped_accepting"]);

/** Whether this is a message of ours to a server process. */
const isPrimaryMessage = (message: unknown): message is PrimaryMessage => isOf(message, ["retire", "ack"]);

/** Sends a message to the primary process, and waits until it is sent. Does nothing if there is none any more. */
export const tellPrimary = (message: WorkerMessage): Promise<void> =>
  new Promise((resolve) => {
    if (process.send && process.connected) process.send(message, undefined, undefined, () => resolve());
    else resolve();
  });

/** Calls back whenever the primary process sends this. */
export function onPrimary(word: PrimaryMessage["is"], heard: () => void): void {
  process.on("message", (message: unknown) => {
    if (isPrimaryMessage(message) && message.is === word) heard();
  });
}

/** Informs the primary process that this one accepts no more connections, and waits until none can be passed to it. */
export async function stopAccepting(): Promise<void> {
  const acknowledged = new Promise<void>((resolve) => {
    onPrimary("ack", resolve);
    process.once("disconnect", resolve);
    setTimeout(resolve, PATIENCE).unref();
  });
  await tellPrimary({ is: "stopped_accepting" });
  if (process.connected) await acknowledged;
}
