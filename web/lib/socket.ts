/** The WebSocket of a tab, for subscriptions. It is loaded when first needed, and closes with the last subscription. */
import type { SubscriptionForwarder } from "@urql/core";
import type { Client } from "graphql-ws";

const RETRIES = 10;

const listeners = new Set<() => void>();
/**
 * Calls this when events may have been missed: whenever the socket is connected, and when the board ends a subscription.
 * @returns stops that
 */
export function onMissed(run: () => void): () => void {
  listeners.add(run);
  return () => void listeners.delete(run);
}
const tell = (): void => listeners.forEach((run) => run());

let socket: Promise<Client> | undefined;
const opened = (): Promise<Client> =>
  (socket ??= import("graphql-ws/client").then(({ createClient }) =>
    createClient({
      url: `${location.origin.replace(/^http/, "ws")}/graphql`,
      retryAttempts: RETRIES,
      shouldRetry: () => true, // also what fails with an error, as while the board is away, or in Safari's pages that were left
      on: { connected: tell },
    }),
  ));

/** The function by which the GraphQL client subscribes. */
export const forward: SubscriptionForwarder = ({ query = "", variables }) => ({
  subscribe(sink) {
    let isOver = false;
    let end = (): void => undefined;
    const complete = (): void => {
      if (!isOver) tell();
      sink.complete();
    };
    const input = { query, variables: variables as Record<string, unknown> };
    opened().then(
      (client) => !isOver && (end = client.subscribe(input, { ...sink, complete } as never)),
      (error: unknown) => sink.error(error),
    );
    return { unsubscribe: () => ((isOver = true), end()) };
  },
});
