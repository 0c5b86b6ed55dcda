/**
 * After a reload newer processes have an older one above them: words are only ever added, and whoever does not know one ignores it.
 */

/** Milliseconds; whoever has started this process is not there, or hears nothing. */
const PATIENCE = 5_000;

/** What a server process tells the one that started it. */
export type WorkerMessage =
  /** it serves, at this URL */
  | { is: "listening"; url: string }
  /** it can't start, for this reason */
  | { is: "failed"; reason: string }
  /** it takes no more connections; `noted` is the answer, after everything that was on its way to it */
  | { is: "unlisted" };

/** What the one that started it tells a server process. */
export type PrimaryMessage =
  /** another has taken its place: it finishes what it works on, and ends */
  | { is: "retire" }
  /** the answer to `unlisted` */
  | { is: "noted" };

const isOf = (message: unknown, words: string[]): boolean =>
  words.includes(String((message as { is?: unknown } | null)?.is));

/** Whether this is a message of ours; libraries send some of their own. */
export const isWorkerMessage = (message: unknown): message is WorkerMessage =>
  isOf(message, ["listening", "failed", "unlisted"]);

/** Whether this is a message of ours to a server process. */
export const isPrimaryMessage = (message: unknown): message is PrimaryMessage => isOf(message, ["retire", "noted"]);

/** Tells the primary process, and waits until it is sent. Nothing happens when there is none any more. */
export const tellPrimary = (message: WorkerMessage): Promise<void> =>
  new Promise((resolve) => {
    if (process.send && process.connected) process.send(message, undefined, undefined, () => resolve());
    else resolve();
  });

/** Calls back each time the primary process says this. */
export function onPrimary(word: PrimaryMessage["is"], heard: () => void): void {
  process.on("message", (message: unknown) => {
    if (isPrimaryMessage(message) && message.is === word) heard();
  });
}

/** Tells the primary process that no connections are taken any more. Settles when none can be on its way any more. */
export async function unlist(): Promise<void> {
  const noted = new Promise<void>((resolve) => {
    onPrimary("noted", resolve);
    process.once("disconnect", resolve);
    setTimeout(resolve, PATIENCE).unref();
  });
  await tellPrimary({ is: "unlisted" });
  if (process.connected) await noted;
}
