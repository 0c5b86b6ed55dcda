/**
 * The database as the services see it. `Db` is either the whole client or the client of one running transaction, so
 * that a function written against it works in both.
 */
import { Prisma, PrismaClient } from "./__generated__/client.js";

export { Prisma, PrismaClient };
export type Db = Prisma.TransactionClient;
export type Sql = Prisma.Sql;
export const { sql, join, empty, raw } = Prisma;
