/** The background tasks, one line each: name -> what it does with its payload. Every task may run twice. */
import type { PrismaClient } from "../database/client.js";
import { recountTagCategory } from "../services/tag.service.js";

export type Tasks = Record<string, (payload: unknown) => Promise<void>>;

/** The number in a payload's field. @throws TypeError, which parks the job */
function numberOf(payload: unknown, field: string): number {
  const value = (payload as Record<string, unknown> | null)?.[field];
  if (typeof value !== "number") throw new TypeError(`payload lacks ${field}`);
  return value;
}

export const tasks = (prisma: PrismaClient): Tasks => ({
  recount_tag_category: (payload) => recountTagCategory(prisma, numberOf(payload, "tagId")),
});
