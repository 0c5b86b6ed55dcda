/** The one way to the board: documents sent by their hashes, answers in one normalized cache. */
import {
  Client,
  createRequest,
  fetchExchange,
  makeOperation,
  mapExchange,
  type OperationResult,
  ssrExchange,
  subscriptionExchange,
} from "@urql/core";
import { cacheExchange } from "@urql/exchange-graphcache";
import { useQuery } from "@urql/preact";
import { updates } from "./cache.js";
import { fetchKept, fetchTwice } from "./connection.js";
import type { Document } from "./document.js";
import { type Problem, problemOf } from "./errors.js";
import { fetchWithProgress } from "./progress.js";
import { go } from "./router.js";
import { loginUrl } from "./session.js";
import { forward } from "./socket.js";

/** Hash of each document that was asked, by the name of its operation. */
const hashes = new Map<string, string>();

function request<R, V>(document: Document<R, V>, variables: V) {
  hashes.set(document.name, document.hash);
  return createRequest<R>(document.text, variables as never);
}

/** Sends the document's hash in its place: the server knows the texts of all. What goes with a file has to be whole. */
const byHash = mapExchange({
  onOperation(operation) {
    if (operation.context.isWhole) return operation;
    if (operation.kind === "subscription") return operation; // the socket takes texts
    const [definition] = operation.query.definitions;
    const name = definition && "name" in definition ? (definition.name?.value ?? "") : "";
    const sha256Hash = hashes.get(name);
    if (!sha256Hash) return operation;
    const context = { ...operation.context, fetch: operation.kind === "query" ? fetchTwice : fetchKept };
    const extensions = { ...operation.extensions, persistedQuery: { version: 1 as const, sha256Hash } };
    return makeOperation(operation.kind, { ...operation, extensions }, context);
  },
});

const inlined = ssrExchange({ isClient: true });

export const client = new Client({
  url: "/graphql",
  preferGetMethod: false,
  exchanges: [
    cacheExchange({ updates: updates as never }),
    inlined,
    byHash,
    subscriptionExchange({ forwardSubscription: forward }),
    fetchExchange,
  ],
});

/** Puts an answer that came with the page into the cache. */
export function prime<R, V>(document: Document<R, V>, variables: V, data: R): void {
  const { key } = request(document, variables);
  inlined.restoreData({ [key]: { data: JSON.stringify(data) } });
}

export interface Answer<R> {
  data: R | undefined;
  problem: Problem | undefined;
  isLoading: boolean;
  /** Asks again, past the cache. */
  again: () => void;
}

/** A question of a component. */
export function useDocument<R, V>(document: Document<R, V>, variables: V, pause = false): Answer<R> {
  const { query, variables: sent } = request(document, variables);
  const [{ data, error, fetching }, execute] = useQuery<R>({ query, variables: sent as never, pause });
  return {
    data,
    problem: error && problemOf(error),
    isLoading: fetching,
    again: () => execute({ requestPolicy: "network-only" }),
  };
}

/** Tells of an answer, and of each change of it in the cache, for as long as the page is open. */
export function watch<R, V>(document: Document<R, V>, variables: V, onData: (data: R) => void): void {
  client.executeQuery<R>(request(document, variables)).subscribe(({ data }) => {
    if (data) onData(data);
  });
}

/** Asks once, outside of components. @throws Problem */
export const ask = async <R, V>(
  document: Document<R, V>,
  variables: V,
  { signal, isFresh = false }: { signal?: AbortSignal; isFresh?: boolean } = {},
): Promise<R> =>
  settled(
    await client.executeQuery<R>(request(document, variables), {
      ...(signal ? { fetchOptions: { signal } } : {}),
      ...(isFresh ? { requestPolicy: "network-only" } : {}),
    }),
  );

/** Changes something; a visitor who may not is led to sign in, and back here afterwards. @throws Problem */
export const change = async <R, V>(document: Document<R, V>, variables: V): Promise<R> =>
  changed(await client.executeMutation<R>(request(document, variables)));

/**
 * Changes something by a file among the variables, as `change`.
 * @param onProgress called with the part that was sent, from 0 to 1
 * @throws Problem
 */
export const send = async <R, V>(
  document: Document<R, V>,
  variables: V,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<R> => {
  const fetchOptions = { headers: { "Apollo-Require-Preflight": "1" } };
  const context = { fetch: fetchWithProgress(onProgress, signal), fetchOptions, isWhole: true };
  return changed(await client.executeMutation<R>(request(document, variables), context));
};

function changed<R>(result: OperationResult<R>): R {
  if (result.error && problemOf(result.error).needsLogin) go(loginUrl());
  return settled(result);
}

/** Has the cache learn of each event of a subscription. @returns ends it */
export function follow<R, V>(document: Document<R, V>, variables: V): () => void {
  const events = client.executeSubscription<R>(request(document, variables)).subscribe(() => undefined);
  return () => events.unsubscribe();
}

function settled<R>({ data, error }: OperationResult<R>): R {
  if (error) throw problemOf(error);
  return data as R;
}
