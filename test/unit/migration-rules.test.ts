/** Migrations keep the previous version working: each one since the rules follows them, and the rules detect violations. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { migrationNames } from "../../src/database/migrate.js";
import { BASELINE, offences, RULES } from "../support/migration-rules.js";
import { ROOT, readProjectFile } from "../support/project.js";

const later = migrationNames().filter((name) => name > BASELINE);

describe("the migrations since the rules", () => {
  it("begin after an existing migration", () => {
    expect(migrationNames()).toContain(BASELINE);
  });

  it.each(later)("%s follows them", (name) => {
    expect(offences(readProjectFile(`prisma/migrations/${name}/migration.sql`))).toEqual([]);
  });

  it("are ordered by the time in their names", () => {
    const folders = readdirSync(path.join(ROOT, "prisma/migrations"), { withFileTypes: true });
    const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(names.filter((name) => !/^\d{14}_[a-z0-9_]+$/.test(name))).toEqual([]);
  });
});

describe("docs/migrations.md", () => {
  it("quotes each rule", () => {
    const written = readProjectFile("docs/migrations.md");
    expect(RULES.map(({ rule }) => rule).filter((rule) => !written.includes(rule))).toEqual([]);
  });
});

const broken = (script: string): string[] => offences(script).map((offence) => offence.slice(0, offence.indexOf(":")));

describe("violations", () => {
  it.each([
    ["ALTER TABLE posts RENAME COLUMN a TO b", "nothing is renamed"],
    ["ALTER INDEX posts_a_idx RENAME TO posts_b_idx", "nothing is renamed"],
    ["DROP TABLE posts", "nothing is dropped that the version before uses"],
    ['ALTER TABLE "posts" DROP COLUMN "a"', "nothing is dropped that the version before uses"],
    ["ALTER TABLE posts ADD COLUMN b int, DROP a", "nothing is dropped that the version before uses"],
    ["ALTER TABLE posts ALTER COLUMN a DROP DEFAULT", "nothing is dropped that the version before uses"],
    ["DROP FUNCTION next_tag_generation()", "nothing is dropped that the version before uses"],
    ["ALTER TABLE posts ADD COLUMN a int NOT NULL", "a new column is nullable or has a default"],
    ['ALTER TABLE "posts" ADD COLUMN "a" TEXT, ADD "b" TEXT NOT NULL', "a new column is nullable or has a default"],
    ["ALTER TABLE posts ALTER a SET NOT NULL", "no column becomes NOT NULL"],
    ["ALTER TABLE posts ALTER COLUMN a TYPE bigint", "no table is rewritten"],
    ["ALTER TABLE posts ADD COLUMN a uuid DEFAULT gen_random_uuid()", "no table is rewritten"],
    ["ALTER TABLE posts ADD COLUMN a int GENERATED ALWAYS AS (id * 2) STORED", "no table is rewritten"],
    ["ALTER TABLE posts ADD COLUMN a serial", "no table is rewritten"],
    ["ALTER TABLE posts ADD CONSTRAINT c CHECK (a > 0)", "a check or foreign key is added NOT VALID"],
    ["ALTER TABLE posts ADD FOREIGN KEY (a) REFERENCES users (id)", "a check or foreign key is added NOT VALID"],
    [
      "ALTER TABLE posts ADD CONSTRAINT c CHECK (a > 0) NOT VALID; ALTER TABLE posts VALIDATE CONSTRAINT c",
      "and validated by a migration that does nothing else",
    ],
    ["ALTER TABLE posts ADD CONSTRAINT c UNIQUE (a)", "a unique constraint is added USING INDEX"],
    ['CREATE INDEX "i" ON "posts" ("a")', "an index on an existing table is created and dropped CONCURRENTLY"],
    ["DROP INDEX i", "an index on an existing table is created and dropped CONCURRENTLY"],
    [
      "CREATE INDEX CONCURRENTLY i ON posts (a); ALTER TABLE posts ADD b int",
      "by a migration that does nothing else, with a name, created without IF NOT EXISTS and dropped with IF EXISTS",
    ],
    [
      "DROP INDEX CONCURRENTLY i",
      "by a migration that does nothing else, with a name, created without IF NOT EXISTS and dropped with IF EXISTS",
    ],
    [
      "CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON posts (a)",
      "by a migration that does nothing else, with a name, created without IF NOT EXISTS and dropped with IF EXISTS",
    ],
    ["UPDATE posts SET a = 1", "rows are changed by a job in batches"],
    ["INSERT INTO tags (name) SELECT name FROM others", "rows are changed by a job in batches"],
    ["LOCK TABLE posts", "no explicit lock, and no table is reorganised"],
    ["SET lock_timeout = 0", "no setting, no transaction of its own"],
  ])("%s", (script, rule) => {
    expect(broken(script)).toEqual([rule]);
  });
});

describe("allowed statements", () => {
  it.each([
    "ALTER TABLE posts ADD COLUMN a int, ADD COLUMN b text NOT NULL DEFAULT 'x, y; DROP TABLE posts'",
    "CREATE TABLE others (id int PRIMARY KEY, post_id int); CREATE INDEX i ON others (post_id);" +
      "ALTER TABLE others ADD CONSTRAINT f FOREIGN KEY (post_id) REFERENCES posts (id)",
    "CREATE UNIQUE INDEX CONCURRENTLY i ON posts (a)",
    "DROP INDEX CONCURRENTLY IF EXISTS i",
    "ALTER TABLE posts ADD CONSTRAINT c UNIQUE USING INDEX i",
    "ALTER TABLE posts ADD CONSTRAINT c CHECK (a > 0) NOT VALID",
    "ALTER TABLE posts VALIDATE CONSTRAINT c",
    "ALTER TABLE posts DROP CONSTRAINT c",
    "ALTER TABLE posts ALTER COLUMN a DROP NOT NULL, ALTER COLUMN b SET DEFAULT 1",
    "CREATE OR REPLACE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE posts SET a = 1; END $$",
    "/* DROP TABLE posts; */ -- DROP TABLE posts;\nCOMMENT ON TABLE posts IS 'one; DROP TABLE posts'",
    "-- safe: since version 2 nothing reads or writes it\nALTER TABLE posts DROP COLUMN a",
  ])("%s", (script) => {
    expect(offences(script)).toEqual([]);
  });

  it("a `-- safe` comment excuses one statement only, and must give a reason", () => {
    const excuse = "-- safe: since version 2 nothing reads or writes it\n";
    expect(broken(`${excuse}DROP TABLE a; DROP TABLE b`)).toHaveLength(1);
    expect(broken("-- safe: yes\nDROP TABLE a")).toHaveLength(1);
  });
});
