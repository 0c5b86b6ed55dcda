/** The GraphQL client: documents sent by hash, responses in one normalized cache. */
import {
  Client,
  createRequest,
  fetchExchange,
  type GraphQLRequest,
  makeOperation,
  mapExchange,
  type OperationResult,
  ssrExchange,
  subscriptionExchange,
} from "@urql/core";
import { cacheExchange } from "@urql/exchange-graphcache";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { updates } from "./cache.js";
import { fetchKept, fetchTwice } from "./connection.js";
import type { Document } from "./document.js";
import { type Problem, problemOf } from "./errors.js";
import { load } from "./router.js";
import { loginUrl } from "./session.js";
import { forward } from "./socket.js";

/** Hash of the document of each request that is sent by it, by its key. */
const hashes = new Map<number, string>();

/** A request that is sent as a whole: the socket and uploads need the text. */
export const whole = <R, V>({ text }: Document<R, V>, variables: V): GraphQLRequest<R> =>
  createRequest(text, variables as never);

function request<R, V>(document: Document<R, V>, variables: V): GraphQLRequest<R> {
  const made = whole(document, variables);
  hashes.set(made.key, document.hash);
  return made;
}

/** When the response to each query arrived, by its key, in milliseconds. */
const answeredAt = new Map<number, number>();
/** Responses from before that are asked for again. */
export const aMinuteAgo = (): number => Date.now() - 60_000;
/** Whether there is no response to a query from that time on. */
const isOlder = ({ key }: GraphQLRequest, since: number): boolean => (answeredAt.get(key) ?? 0) < since;

/** Replaces the document by its hash, which the server knows. */
const byHash = mapExchange({
  onOperation(operation) {
    const { key, kind } = operation;
    const sha256Hash = hashes.get(key);
    if (!sha256Hash) return operation;
    const context = { ...operation.context, fetch: kind === "query" ? fetchTwice : fetchKept };
    return makeOperation(kind, { ...operation, extensions: { persistedQuery: { version: 1, sha256Hash } } }, context);
  },
  onResult({ operation, error }) {
    if (!error) answeredAt.set(operation.key, Date.now());
    else if (problemOf(error).needsLogin) watchAgain(); // the session has ended
  },
});

const inlined = ssrExchange({ isClient: true });

const GRAPHQL = "/graphql";

export const client = new Client({
  url: GRAPHQL,
  preferGetMethod: false,
  exchanges: [
    cacheExchange({ updates: updates as never }),
    byHash,
    inlined,
    subscriptionExchange({ forwardSubscription: forward }),
    fetchExchange,
  ],
});

/** Puts the response in the page's HTML into the cache. */
export function prime<R, V>(document: Document<R, V>, variables: V, data: R): void {
  const { key } = request(document, variables);
  inlined.restoreData({ [key]: { data: JSON.stringify(data) } });
}

/** A query with its latest result, from the moment it is sent until it is stopped. */
interface Observed<R> {
  asked: GraphQLRequest<R>;
  result: OperationResult<R> | null;
  isLoading: boolean;
  /** told of each change */
  onChange: () => void;
  stop: () => void;
}

/** @param since an older response is shown, and asked for again */
function observe<R>(asked: GraphQLRequest<R>, since: number): Observed<R> {
  const observed: Observed<R> = {
    asked,
    result: null,
    isLoading: true,
    onChange: () => undefined,
    stop: () => undefined,
  };
  const isOld = (answeredAt.get(asked.key) ?? since) < since;
  const requestPolicy = isOld ? "cache-and-network" : "cache-first";
  const results = client.executeQuery<R>(asked, { requestPolicy }).subscribe((received) => {
    const before = observed.result;
    // a repetition that fails leaves what is shown
    const result = received.error && !received.data && before?.data ? before : received;
    const isSame = !observed.isLoading && before?.data === result.data && before?.error === result.error;
    Object.assign(observed, { result, isLoading: false });
    if (!isSame) observed.onChange();
  });
  observed.stop = () => results.unsubscribe();
  return observed;
}

/** The query of the first page, until its component takes it over. */
let ahead: Observed<never> | null = null;

/** Reads the page's response before its component is rendered, which takes as long as rendering it. */
export function readAhead<R, V>(document: Document<R, V>, variables: V): void {
  ahead = observe(request(document, variables), 0) as Observed<never>;
}

function takeAhead<R>({ key }: GraphQLRequest<R>): Observed<R> | null {
  const found = ahead?.asked.key === key ? ahead : null;
  if (found) ahead = null;
  return found;
}

export interface Answer<R> {
  data: R | undefined;
  problem: Problem | undefined;
  isLoading: boolean;
  /** Repeats the query, bypassing the cache. */
  again: () => void;
}

/**
 * A query of a component: sent while it is rendered, so that what is in the cache is there at once.
 * @param since an older response is shown, and asked for again
 */
export function useDocument<R, V>(
  document: Document<R, V>,
  variables: V,
  pause = false,
  since = aMinuteAgo(),
): Answer<R> {
  // parsed only when it is sent
  const asked = pause ? null : request(document, variables);
  const observed = useRef<Observed<R> | null>(null);
  const [, setChange] = useState({});
  if (asked && observed.current?.asked.key !== asked.key) {
    observed.current?.stop();
    observed.current = takeAhead(asked) ?? observe(asked, since);
    observed.current.onChange = () => setChange({});
  }
  useLayoutEffect(() => () => observed.current?.stop(), []);
  const again = () => {
    if (!observed.current) return;
    observed.current.isLoading = true;
    setChange({});
    askAgain(observed.current.asked);
  };
  const { result = null, isLoading = false } = observed.current ?? {};
  return {
    data: result?.data,
    problem: result?.error && problemOf(result.error),
    isLoading: !pause && isLoading,
    again,
  };
}

/** What is watched while the page is open. */
let watched: GraphQLRequest | undefined;

/** Reports a response and each change of it in the cache, while the page is open. */
export function watch<R, V>(document: Document<R, V>, variables: V, onData: (data: R) => void): void {
  watched = request(document, variables);
  client.executeQuery<R>(watched).subscribe(({ data }) => {
    if (data) onData(data);
  });
}

/** Asks again for what is watched. @param since only if its response is older */
export function watchAgain(since = Infinity): void {
  if (watched && isOlder(watched, since)) askAgain(watched);
}

const askAgain = (asked: GraphQLRequest): void =>
  client.reexecuteOperation(client.createRequestOperation("query", asked, { requestPolicy: "network-only" }));

/** Runs a query once, outside of components. @param since an older response is not used @throws Problem */
export const ask = async <R, V>(
  document: Document<R, V>,
  variables: V,
  { since = 0 }: { since?: number } = {},
): Promise<R> => {
  const asked = request(document, variables);
  return settled(
    await client.executeQuery<R>(asked, {
      requestPolicy: isOlder(asked, since) ? "network-only" : "cache-first",
    }),
  );
};

/** Runs a mutation; a visitor without the right is sent to sign in, and back here afterwards. @param url if it has one of its own @throws Problem */
export const change = async <R, V>(document: Document<R, V>, variables: V, url = GRAPHQL): Promise<R> =>
  changed(await client.executeMutation<R>(request(document, variables), { url }));

/** The result of a mutation. @throws Problem */
export function changed<R>(result: OperationResult<R>): R {
  if (result.error && problemOf(result.error).needsLogin) load(loginUrl()); // no longer as the viewer whose session has ended
  return settled(result);
}

/** Subscribes, and updates the cache with each event. @returns unsubscribes */
export function follow<R, V>(document: Document<R, V>, variables: V): () => void {
  const events = client.executeSubscription<R>(whole(document, variables)).subscribe(() => undefined);
  return () => events.unsubscribe();
}

function settled<R>({ data, error }: OperationResult<R>): R {
  if (error) throw problemOf(error);
  return data as R;
}
