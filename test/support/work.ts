/** The work of a request, counted rather than timed: its SQL statements and password hashes. */
import { createHook } from "node:async_hooks";
import pg from "pg";

export interface Work {
  /** the texts of the statements, in their order, without their values */
  statements: string[];
  /** number of bcrypt hashes */
  hashes: number;
}

/** The statement that sets the timeout of a connection last used by another level. */
const OF_CONNECTIONS = /^SET statement_timeout/;

type Query = (this: pg.Client, ...args: unknown[]) => unknown;

/** Runs the work, and records what this process, including the server, did meanwhile; nothing else may run at the same time. */
export async function workOf<T>(run: () => Promise<T>): Promise<{ result: T; work: Work }> {
  const work: Work = { statements: [], hashes: 0 };
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  prototype.query = function record(...args) {
    const [first] = args;
    const text = typeof first === "string" ? first : String((first as { text?: string }).text);
    if (!OF_CONNECTIONS.test(text)) work.statements.push(text);
    return query.apply(this, args);
  };
  // bcrypt names the work that it gives to the thread pool, which Node tells of
  const hashes = createHook({
    init: (_id, type) => {
      if (/^bcrypt:(Compare|Encrypt)/.test(type)) work.hashes += 1;
    },
  }).enable();
  try {
    return { result: await run(), work };
  } finally {
    hashes.disable();
    prototype.query = query;
  }
}
