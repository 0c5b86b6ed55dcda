/** Prisma, opened when one of its tables is first used: it takes 22 MB of memory and 45 ms of the processor, and a process that only reads rarely needs it. */
import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { PrismaClient } from "./__generated__/client.js";
import type { StatementNames } from "./prepared.js";
import { isInTransaction } from "./unit.js";

/** @param names of the statements of transactions, which are prepared: PostgreSQL reads and plans them once a connection */
export function openPrisma(pool: pg.Pool, names: StatementNames): PrismaClient {
  const nameOf = (query: { sql: string }) => (isInTransaction() ? names.of(query.sql) : undefined);
  // the driver expects no name for a statement that is not prepared, which the type does not allow
  const options = { statementNameGenerator: nameOf as () => string };
  let opened: PrismaClient | undefined;
  const open = () => (opened ??= new PrismaClient({ adapter: new PrismaPg(pool, options) }));
  return new Proxy({} as PrismaClient, {
    get(_, name) {
      if (name === "$disconnect") return () => opened?.$disconnect() ?? Promise.resolve();
      const client = open();
      const value: unknown = Reflect.get(client, name);
      return typeof value === "function" ? (value.bind(client) as unknown) : value;
    },
  });
}
