/** The difference between a migrated database and prisma/schema. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import type { SchemaContainer } from "@prisma/schema-engine-wasm/schema_engine_bg";
import type { Pool, QueryResult } from "pg";
import { MigrationAdapterFactory, NO_FILTERS, withEngine } from "../src/database/migrate.js";
import { projectRoot } from "../src/lib/project-root.js";

/** Ids in pg_type of `"char"`, the one-character type of PostgreSQL's catalogue, and of text. */
const CHAR_TYPE = 18;
const TEXT_TYPE = 25;

/**
 * Prisma's adapter rejects `"char"` columns of the catalogue, which the engine reads to compare a database with the schema.
 * Here they are passed as text, and declared as characters afterwards.
 */
class ComparingAdapterFactory extends MigrationAdapterFactory {
  private readonly charColumns = new WeakMap<object, number[]>();

  constructor(pool: Pool) {
    super(pool);
    const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<QueryResult>;
    Object.assign(pool, { query: async (...args: unknown[]) => this.passCharsAsText(await query(...args)) });
  }

  override async connect() {
    const adapter = await super.connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query) => {
      const result = await queryRaw(query);
      for (const column of this.charColumns.get(result.rows) ?? [])
        result.columnTypes[column] = ColumnTypeEnum.Character;
      return result;
    };
    return adapter;
  }

  private passCharsAsText(result: QueryResult): QueryResult {
    const columns = (result.fields ?? []).flatMap((field, column) => (field.dataTypeID === CHAR_TYPE ? [column] : []));
    for (const column of columns) result.fields[column]!.dataTypeID = TEXT_TYPE;
    if (columns.length > 0) this.charColumns.set(result.rows, columns);
    return result;
  }
}

/** The files of prisma/schema as input of the engine. */
function schemaFiles(): SchemaContainer[] {
  const folder = path.join(projectRoot(), "prisma", "schema");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".prisma"))
    .toSorted()
    .map((name) => path.join(folder, name))
    .map((file) => ({ path: file, content: readFileSync(file, "utf8") }));
}

/** The SQL that would change the database to match prisma/schema; empty if there is no drift. */
export async function drift(connectionString: string): Promise<string> {
  const files = schemaFiles();
  const result = await withEngine(
    { connectionString },
    (engine) =>
      engine.diff({
        from: { tag: "schemaDatasource", files, configDir: projectRoot() },
        to: { tag: "schemaDatamodel", files },
        script: true,
        exitCode: null,
        filters: NO_FILTERS,
      }),
    ComparingAdapterFactory,
  );
  const script = (result.stdout ?? "").trim();
  return script === "-- This is an empty migration." ? "" : script;
}
