/** Rules of migrations, with which the previous version keeps working. docs/migrations.md explains them. */
import { partsOf, type Statement, statementsOf } from "./sql-statements.js";

/** Migrations up to this one are older than the rules. */
export const BASELINE = "20261121070000_shared_addresses_for_mail";

interface Rule {
  /** as docs/migrations.md has it */
  rule: string;
  /** whether a statement violates it; `alone`: it is the only one of its migration */
  broken: (text: string, alone: boolean) => boolean;
  /** it also applies to tables that the migration itself creates */
  everywhere?: boolean;
}

/** The actions of ALTER TABLE, each by itself. */
const actionsOf = (text: string): string[] => {
  const [, actions] = /^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?[\w.]+ (.*)$/i.exec(text) ?? [];
  return actions === undefined ? [] : partsOf(actions);
};

const action =
  (pattern: RegExp, without?: RegExp) =>
  (text: string): boolean =>
    actionsOf(text).some((each) => pattern.test(each) && !without?.test(each));

const OBJECTS = "TABLE|VIEW|MATERIALIZED VIEW|TYPE|DOMAIN|FUNCTION|PROCEDURE|TRIGGER|SEQUENCE|SCHEMA|EXTENSION";
const NEW_COLUMN = /^ADD (?:COLUMN )?(?!CONSTRAINT\b|CHECK\b|FOREIGN\b|UNIQUE\b|PRIMARY\b|EXCLUDE\b)/i;
const VOLATILE = /DEFAULT .*\b(?:random|gen_random_uuid|uuidv\d|nextval|clock_timestamp)\b/i;
const REWRITTEN = new RegExp(`${VOLATILE.source}|\\bSTORED\\b|\\bIDENTITY\\b|\\b(?:BIG|SMALL)?SERIAL\\b`, "i");

const rewrites = (text: string): boolean =>
  action(/^ALTER (?:COLUMN )?\w+ (?:SET DATA )?TYPE\b|^SET (?:LOGGED|UNLOGGED|TABLESPACE|ACCESS METHOD)\b/i)(text) ||
  actionsOf(text).some((each) => NEW_COLUMN.test(each) && REWRITTEN.test(each));

export const RULES: Rule[] = [
  { rule: "nothing is renamed", broken: (text) => /^ALTER\b.* RENAME\b/i.test(text) },
  {
    rule: "nothing is dropped that the version before uses",
    broken: (text) =>
      new RegExp(`^DROP (?:${OBJECTS})\\b`, "i").test(text) ||
      action(/^DROP (?:COLUMN\b|(?!CONSTRAINT\b|EXPRESSION\b))|^ALTER (?:COLUMN )?\w+ DROP DEFAULT\b/i)(text),
  },
  { rule: "a new column is nullable or has a default", broken: action(NEW_COLUMN, /\bDEFAULT\b|^(?!.*NOT NULL)/i) },
  { rule: "no column becomes NOT NULL", broken: action(/^ALTER (?:COLUMN )?\w+ SET NOT NULL/i) },
  { rule: "no table is rewritten", broken: rewrites },
  {
    rule: "a check or foreign key is added NOT VALID",
    broken: action(/^ADD (?:CONSTRAINT \w+ )?(?:CHECK|FOREIGN KEY)\b/i, /\bNOT VALID$/i),
  },
  {
    rule: "and validated by a migration that does nothing else",
    broken: (text, alone) => !alone && action(/^VALIDATE/i)(text),
  },
  {
    rule: "a unique constraint is added USING INDEX",
    broken: action(/^ADD (?:CONSTRAINT \w+ )?(?:UNIQUE|PRIMARY KEY|EXCLUDE)\b/i, /\bUSING INDEX\b/i),
  },
  {
    rule: "an index on an existing table is created and dropped CONCURRENTLY",
    broken: (text) => /^(?:CREATE (?:UNIQUE )?INDEX|DROP INDEX|REINDEX)\b(?! CONCURRENTLY)/i.test(text),
  },
  {
    rule: "by a migration that does nothing else, with a name, created without IF NOT EXISTS and dropped with IF EXISTS",
    everywhere: true,
    broken: (text, alone) =>
      /^(?:CREATE|DROP|REINDEX)\b.*\bCONCURRENTLY\b/i.test(text) &&
      (!alone || /CONCURRENTLY (?:ON|IF NOT EXISTS)\b|^DROP INDEX CONCURRENTLY (?!IF EXISTS)/i.test(text)),
  },
  {
    rule: "rows are changed by a job in batches",
    broken: (text) => /^(?:UPDATE|DELETE FROM|MERGE|TRUNCATE)\b|^INSERT\b.*\bSELECT\b|^WITH\b/i.test(text),
  },
  {
    rule: "no explicit lock, and no table is reorganised",
    everywhere: true,
    broken: (text) => /^(?:LOCK|CLUSTER|VACUUM|REFRESH)\b/i.test(text),
  },
  {
    rule: "no setting, no transaction of its own",
    everywhere: true,
    broken: (text) => /^(?:SET|RESET|BEGIN|START|COMMIT|ROLLBACK|SAVEPOINT)\b/i.test(text),
  },
];

const TABLE =
  /^(?:ALTER TABLE (?:IF EXISTS )?(?:ONLY )?|UPDATE |DELETE FROM |TRUNCATE (?:TABLE )?|INSERT INTO )(\w+)|^CREATE (?:UNIQUE )?INDEX\b.*? ON (?:ONLY )?(\w+)/i;
const tableOf = (text: string): string | undefined => {
  const [, table, indexed] = TABLE.exec(text) ?? [];
  return table ?? indexed;
};

function newTables(statements: Statement[]): Set<string | undefined> {
  const made = (text: string) => /^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)/i.exec(text)?.[1];
  return new Set(statements.map(({ text }) => made(text)).filter((name) => name !== undefined));
}

/** The violations of a script, as `rule: statement`. A comment `-- safe: why` before a statement excuses it. */
export function offences(script: string): string[] {
  const statements = statementsOf(script);
  const made = newTables(statements);
  return statements
    .filter(({ safe }) => safe.length < 20)
    .flatMap(({ text }) =>
      RULES.filter(({ everywhere }) => everywhere || !made.has(tableOf(text)))
        .filter(({ broken }) => broken(text, statements.length === 1))
        .map(({ rule }) => `${rule}: ${text}`),
    );
}
