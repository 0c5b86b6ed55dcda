/** State of the current request or job, found by any code that it calls: whose its statements are, their deadline, number and time. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Span } from "../runtime/telemetry/tracing.js";
import type { Replica } from "./replica.js";

export class RequestScope {
  statements = 0;
  /** time from the start of each statement until its rows were read, in total */
  milliseconds = 0;
  /** key of the client in limits; undefined until it is known */
  client: string | undefined;
  /** the replica to read from while its epoch stays the same; null for the primary */
  source: { replica: Replica; epoch: object } | null = null;
  /** whether it has committed a transaction: further reads are for its response */
  hasCommitted = false;
  /** kind and root fields of its GraphQL operation: `query posts` */
  operation: string | undefined;

  /**
   * @param deadline maximum milliseconds of each statement; undefined (no change of the connection's) until the viewer is known
   * @param span parent of the spans of its statements
   */
  constructor(
    public deadline?: number,
    public span?: Span,
  ) {}

  run<T>(work: () => T): T {
    return storage.run(this, work);
  }
}

const storage = new AsyncLocalStorage<RequestScope>();

/** The scope of the current request or job; undefined outside of both. */
export const currentScope = (): RequestScope | undefined => storage.getStore();

/** Directs further reads of the current request to a replica, or to the primary (null). */
export function readFrom(replica: Replica | null): void {
  const scope = currentScope();
  if (scope) scope.source = replica && { replica, epoch: replica.epoch };
}

/** The replica that the current request reads from; null for the primary. */
export function sourceOf(): Replica | null {
  const source = currentScope()?.source;
  return source && source.replica.epoch === source.epoch ? source.replica : null;
}
