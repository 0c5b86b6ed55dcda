/** Fast loading of tables: indexes and foreign keys are dropped, and created again after the rows are inserted. */
import type pg from "pg";

/**
 * Runs the work while the tables have no foreign keys, and no indexes except those of constraints. To be called in
 * a transaction, so that no other session sees the tables without them.
 */
export async function withoutIndexes(client: pg.Client, tables: string[], work: () => Promise<void>): Promise<void> {
  const { rows: keys } = await client.query<Record<"name" | "table" | "definition", string>>(
    `SELECT conname AS name, conrelid::regclass::text AS table, pg_get_constraintdef(oid) AS definition
       FROM pg_constraint WHERE contype = 'f' AND conrelid = ANY($1::regclass[]) ORDER BY oid`,
    [tables],
  );
  for (const key of keys) await client.query(`ALTER TABLE ${key.table} DROP CONSTRAINT "${key.name}"`);
  await withoutSpareIndexes(client, tables, work);
  for (const key of keys) await client.query(`ALTER TABLE ${key.table} ADD CONSTRAINT "${key.name}" ${key.definition}`);
}

/** As `withoutIndexes`, but keeps the foreign keys, for a session that does not check them. */
export async function withoutSpareIndexes(
  client: pg.Client,
  tables: string[],
  work: () => Promise<void>,
): Promise<void> {
  const { rows: indexes } = await client.query<Record<"name" | "definition", string>>(
    `SELECT c.relname AS name, pg_get_indexdef(i.indexrelid) AS definition
       FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE i.indrelid = ANY($1::regclass[])
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid) ORDER BY c.oid`,
    [tables],
  );
  for (const index of indexes) await client.query(`DROP INDEX "${index.name}"`);
  await work();
  for (const index of indexes) await client.query(index.definition);
}

/** Runs the work while the tables' own triggers are disabled; those of foreign keys stay. To be called in a transaction. */
export async function withoutTriggers(client: pg.Client, tables: string[], work: () => Promise<void>): Promise<void> {
  for (const table of tables) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  await work();
  for (const table of tables) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
}
