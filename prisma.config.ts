/** Prisma's command line: where the schema and the migrations are, and which database `prisma migrate` talks to. */
import { defineConfig } from "prisma/config";

export default defineConfig({
  schema: "prisma/schema",
  migrations: { path: "prisma/migrations", seed: "tsx prisma/seed/index.ts" },
  datasource: { url: process.env.DATABASE_URL ?? "" },
});
