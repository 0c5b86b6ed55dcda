/**
 * Subscriptions: the graphql-ws protocol on /graphql. A connection is authenticated when it opens, like a request, again for
 * each operation, and may only subscribe: everything else goes over HTTP. A subscription has the same limits as
 * queries, and counts towards the hourly limit like them.
 */
import type { Server } from "node:http";
import { type ExecutionArgs, GraphQLError, type GraphQLFormattedError } from "graphql";
import { CloseCode, type Context, makeServer, type SubscribePayload } from "graphql-ws";
import { LRUCache } from "lru-cache";
import type { Shared } from "../../graphql/apollo.js";
import { isHeavyDocument } from "../../graphql/shared/admission.js";
import { type ErrorFormat, refusal } from "../../graphql/shared/errors.js";
import { WEB_SOCKET } from "../../graphql/shared/operation-limits.js";
import { ANONYMOUS, reliesOnCookies } from "../runtime/auth/viewer.js";
import type { Board } from "../board.js";
import { toBoardError } from "../database/faults.js";
import { RequestScope } from "../database/request-scope.js";
import { failure } from "../errors.js";
import { KeyedSemaphore } from "../lib/semaphore.js";
import { type BoardEvent, NO_SESSION } from "../runtime/events/events.js";
import { Budget } from "../lib/budget.js";
import type { HeavyLane } from "../runtime/limits/heavy-lane.js";
import { addressKey } from "../runtime/limits/limiter.js";
import { baseUrlOf, isSecureFor, type Proxies } from "./caller.js";
import { authenticateSocket, type Listener, listeningContext, renewed } from "./listener.js";
import { type Entered, type Opened, serveSockets, shut, shutBehind } from "./sockets.js";
import type { Turns } from "./turns.js";
import { requireAllowance } from "./admission.js";
import { getOrMake } from "../lib/get-or-make.js";

/** Of one connection, including those about to begin. */
const MAX_SUBSCRIPTIONS = 20;
/** Of one address, which may have many users. */
const MAX_CONNECTIONS = 50;
/** Per address, over all of its connections; each event is sent to each of them. */
export const MAX_ADDRESS_SUBSCRIPTIONS = 200;
/** Of one user, at any address. */
const MAX_USER_CONNECTIONS = 20;
/**
 * Points that the events of all subscriptions of an address may cost at once, and per second: 50 milliseconds of the event loop.
 * Beyond them, its events wait.
 */
const EVENT_BUDGET = { most: 10_000, perSecond: 2_500 };
/** Number of addresses whose budgets are kept. */
const MOST_BUDGETS = 10_000;
/** Characters of the id that a client chooses for a subscription; every message to it begins with the id. */
const MAX_ID_LENGTH = 100;

interface Extra extends Entered, Listener {
  isSecure: boolean;
  host: string | undefined;
  /** ids of its subscriptions, until they have ended: the protocol forgets one that its client ends while it begins */
  ids: Set<string>;
}
type Connection = Context<Record<string, unknown>, Extra>;

/** The queues for clients' messages and documents. */
export interface Waiting {
  turns: Turns;
  lane: HeavyLane;
}

export function serveSubscriptions(
  http: Server,
  board: Board,
  shared: Shared,
  { turns, lane }: Waiting,
  proxies: Proxies,
): AsyncDisposable {
  const { format } = shared;
  const [byAddress, byUser] = [new KeyedSemaphore(MAX_CONNECTIONS), new KeyedSemaphore(MAX_USER_CONNECTIONS)];
  const budgets = new LRUCache<string, Budget>({
    max: MOST_BUDGETS,
    memoMethod: () => new Budget(EVENT_BUDGET.most, EVENT_BUDGET.perSecond),
  });
  const connections = new Map<string, Set<Connection>>();
  const protocol = makeServer<Record<string, unknown>, Extra>({
    onConnect: async (connection) => {
      const { extra, connectionParams } = connection;
      const { address, socket } = extra;
      const authenticated = await authenticateSocket(board, extra, connectionParams ?? {}).catch(() => null);
      if (!authenticated || socket.readyState !== socket.OPEN) return false; // closed with 4403 Forbidden, or by the client
      const { id } = authenticated.viewer;
      if (id !== null && !enter(extra, byUser, String(id))) return false;
      Object.assign(extra, authenticated);
      const key = addressKey(address);
      const neighbors = getOrMake(connections, key, () => new Set()).add(connection);
      socket.once("close", () => {
        neighbors.delete(connection);
        if (neighbors.size === 0) connections.delete(key);
      });
      return true;
    },
    onSubscribe: ({ extra }, id, payload) =>
      extra.ids.has(id) ||
      extra.ids.size >= MAX_SUBSCRIPTIONS ||
      ofAll(connections.get(addressKey(extra.address))) >= MAX_ADDRESS_SUBSCRIPTIONS
        ? [refusal(failure("invalid_query", { message: "too many subscriptions" }))]
        : begin(board, { ...shared, lane }, extra, id, payload),
    onComplete: ({ extra }, id) => void extra.ids.delete(id),
    onError: (_context, _id, _payload, errors) => errors.map((error) => formatted(format, error)),
    onNext: (_context, _id, _payload, _args, { errors, ...result }) =>
      errors ? { ...result, errors: errors.map((error) => formatted(format, error)) } : undefined,
  });
  const admits = (opened: Opened): Extra | null => {
    const { request, socket } = opened;
    const address = proxies.clientIp(request);
    const scheme = proxies.protocolOf(request);
    const isSecure = isSecureFor(board.config, scheme);
    const host = proxies.hostOf(request);
    const baseUrl = baseUrlOf(board.config, scheme, host);
    const key = addressKey(address);
    const inTurn = (handle: () => void) =>
      turns.begin(
        () => key,
        () => new RequestScope().run(handle), // also of the events that follow
      );
    if (!enter(opened, byAddress, key)) return null;
    return {
      ...opened,
      inTurn,
      isSecure,
      host,
      address,
      userAgent: request.headers["user-agent"],
      baseUrl,
      credentials: null,
      viewer: ANONYMOUS,
      budget: budgets.memo(key),
      close: () => shut(socket, CloseCode.Forbidden, "Forbidden"),
      fellBehind: () => shutBehind(socket),
      ids: new Set(),
    };
  };
  const sockets = serveSockets(http, protocol, admits, board.log);
  const closeSession = closingSessions(connections);
  board.events.addEventListener("session_ended", closeSession);
  return {
    [Symbol.asyncDispose]: async () => {
      board.events.removeEventListener("session_ended", closeSession);
      await sockets[Symbol.asyncDispose]();
    },
  };
}

/** Whether a socket is within the limits, counted until it closes. */
function enter({ socket }: Opened, limit: KeyedSemaphore, key: string): boolean {
  const leave = socket.readyState === socket.OPEN ? limit.take(key) : null;
  if (leave) socket.once("close", leave);
  return leave !== null;
}

function closingSessions(connections: ReadonlyMap<string, ReadonlySet<Connection>>): (event: Event) => void {
  return (event) => {
    const { id, about } = (event as CustomEvent<BoardEvent>).detail;
    for (const { extra } of [...connections.values()].flatMap((each) => [...each])) {
      const { viewer } = extra;
      if (!reliesOnCookies(viewer) || viewer.id !== about) continue;
      if ((viewer.sessionId ?? NO_SESSION) === id) extra.close();
    }
  };
}

/** Subscriptions of several connections. */
const ofAll = (connections: Iterable<Connection> = []): number =>
  [...connections].reduce((sum, { extra }) => sum + extra.ids.size, 0);

type Limited = Shared & Pick<Waiting, "lane">;

/** @returns what to run, or why it is refused */
async function begin(
  board: Board,
  shared: Limited,
  extra: Extra,
  id: string,
  payload: SubscribePayload,
): Promise<ExecutionArgs | readonly GraphQLError[]> {
  extra.ids.add(id);
  if (id.length > MAX_ID_LENGTH) extra.close();
  const made = await admitted(board, shared, extra, payload).catch((error) => [refusal(toBoardError(error))]);
  if (!("document" in made)) extra.ids.delete(id);
  return made;
}

/**
 * Checks the rights and limits of a subscription, for the current viewer of the credentials.
 * @returns what to run: the validated document, not its text; or all its errors
 * @throws BoardError 403, 421, 424
 */
async function admitted(
  board: Board,
  { schema, limits, lane }: Limited,
  listener: Listener,
  { query, operationName = null, variables }: SubscribePayload,
): Promise<ExecutionArgs | readonly GraphQLError[]> {
  const viewer = await renewed(board, listener);
  if (!viewer) throw failure("authentication_failed");
  const count = async (requests: number) => {
    if (requests > 0) requireAllowance(await board.limiter.request(viewer, listener.address, requests));
  };
  await count(1);
  const read = () => limits.read(query);
  const document = isHeavyDocument(query) ? await lane.run(addressKey(listener.address), read) : read();
  if (!("kind" in document)) return document;
  const asked = { document, operationName, variables: variables ?? {} };
  let points = 0;
  await limits.admit(asked, WEB_SOCKET, ({ requested, requests }) => {
    points = requested;
    return count(requests - 1);
  });
  const contextValue = listeningContext(board, listener, points);
  return { schema, document, operationName, variableValues: asked.variables, contextValue };
}

const formatted = (format: ErrorFormat, error: GraphQLError | GraphQLFormattedError): GraphQLFormattedError =>
  error instanceof GraphQLError ? format(error.toJSON(), error) : error;
