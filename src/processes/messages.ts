/** What a server process tells the one that started it. */
export type WorkerMessage =
  /** it serves, at this URL */
  | { is: "listening"; url: string }
  /** it can't start, for this reason */
  | { is: "failed"; reason: string };

/** Whether this is a message of ours; libraries send some of their own. */
export const isWorkerMessage = (message: unknown): message is WorkerMessage =>
  ["listening", "failed"].includes(String((message as { is?: unknown } | null)?.is));

/** Tells the primary process, and waits until it is sent. Nothing happens when there is none any more. */
export const tellPrimary = (message: WorkerMessage): Promise<void> =>
  new Promise((resolve) => {
    if (process.send && process.connected) process.send(message, undefined, undefined, () => resolve());
    else resolve();
  });
