/** What belongs to the request or job that runs, wherever its code is: whose statements they are, how long they may take, how many there were. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Span } from "../runtime/telemetry/tracing.js";
import type { Replica } from "./replica.js";

export class RequestScope {
  /** how many statements it ran */
  statements = 0;
  /** from each statement's start until its rows were read, all statements together */
  milliseconds = 0;
  /** whose statements they are, as limits name them; nobody's in particular while that is not known yet */
  client: string | undefined;
  /** where it reads from, as long as that isn't away in between; the primary while there is none */
  source: { replica: Replica; epoch: object } | null = null;
  /** whether a transaction of it is committed: what it reads from then on is for its response */
  hasCommitted = false;
  /** the GraphQL operation that was run, by kind and root fields: `query posts` */
  operation: string | undefined;

  /**
   * @param deadline milliseconds that each statement may take; as its connection has it while the viewer is not known yet
   * @param span what the statements are part of, where traces are wanted
   */
  constructor(
    public deadline?: number,
    public span?: Span,
  ) {}

  /** Runs the work of the request. */
  run<T>(work: () => T): T {
    return storage.run(this, work);
  }
}

const storage = new AsyncLocalStorage<RequestScope>();

/** The scope of the request or job that runs; undefined outside of both. */
export const currentScope = (): RequestScope | undefined => storage.getStore();

/** Sends this request's further reads to this replica, or to the primary again. */
export function readFrom(replica: Replica | null): void {
  const scope = currentScope();
  if (scope) scope.source = replica && { replica, epoch: replica.epoch };
}

/** The replica that the current request reads from; null for the primary. */
export function sourceOf(): Replica | null {
  const source = currentScope()?.source;
  return source && source.replica.epoch === source.epoch ? source.replica : null;
}
