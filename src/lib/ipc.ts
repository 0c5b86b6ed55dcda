/** Messages between the processes of a cluster: objects whose kind is in `is`. Libraries send messages of their own. */
import type { Worker } from "node:cluster";

export interface Message {
  is: string;
}

/** Whether a received message is of one of these kinds. */
export const isOf = <Expected extends Message>(
  message: unknown,
  kinds: readonly Expected["is"][],
): message is Expected => kinds.includes(String((message as Partial<Message> | null)?.is));

/** Sends a message to the primary process, and waits until it is sent. Does nothing if there is none any more. */
export const sendToPrimary = (message: Message): Promise<void> =>
  new Promise((resolve) => {
    if (process.send && process.connected) process.send(message, undefined, undefined, () => resolve());
    else resolve();
  });

/** Sends a message to a server process, unless it has disconnected. */
export const sendToWorker = (worker: Worker, message: Message): void =>
  void (worker.isConnected() && worker.send(message));
