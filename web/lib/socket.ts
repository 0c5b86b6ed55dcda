/** The one socket of a tab, for subscriptions. Nothing of it is loaded before it is needed; it closes with the last of them. */
import type { SubscriptionForwarder } from "@urql/core";
import type { Client } from "graphql-ws";

const RETRIES = 10;

let socket: Promise<Client> | undefined;
const opened = (): Promise<Client> =>
  (socket ??= import("graphql-ws/client").then(({ createClient }) =>
    createClient({ url: `${location.origin.replace(/^http/, "ws")}/graphql`, retryAttempts: RETRIES }),
  ));

/** How the client of GraphQL subscribes. */
export const forward: SubscriptionForwarder = ({ query = "", variables }) => ({
  subscribe(sink) {
    let isOver = false;
    let end = (): void => void (isOver = true);
    const input = { query, variables: variables as Record<string, unknown> };
    opened().then(
      (client) => !isOver && (end = client.subscribe(input, sink as never)),
      (error: unknown) => sink.error(error),
    );
    return { unsubscribe: () => end() };
  },
});
