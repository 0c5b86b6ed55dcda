/**
 * The columns of a record as one map, from which the selected columns, the type of the record, and the columns of its versions are
 * derived. A column's name in SQL is its field's name in snake_case.
 */
import { identifier, join, type Sql, sql } from "../../database/client.js";
import { toSnake } from "../../lib/case.js";

export interface Column<Value = unknown> {
  /** its type in PostgreSQL */
  type: Sql;
  /** the selected expression, if it is not a column of the table itself */
  expression?: Sql;
  /** only a type: that of its values */
  readonly value?: Value;
}

export type Columns = Readonly<Record<string, Column>>;

/** Values of nullable columns. */
export type MaybeRecordOf<Map extends Columns | null> = Map extends Columns ? RecordOf<Map> : unknown;

export type RecordOf<Map extends Columns> = {
  -readonly [Name in keyof Map]: Map[Name] extends Column<infer Value> ? Value : never;
};

/** An edit of a state: absent fields stay unchanged, and so do those that are null unless the edit says what it means. */
export type EditOf<State> = { [Field in keyof State]?: State[Field] | null };

/** The fields of an edit that are neither absent nor null. */
export const given = <Edit extends object>(edit: Edit): { [Field in keyof Edit]?: NonNullable<Edit[Field]> } =>
  Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined && value !== null)) as never;

/** A column whose values have a narrower type, or that is an expression over the joined tables. */
export const typed = <Value>(type: Sql, expression?: Sql): Column<Value> => ({
  type,
  ...(expression === undefined ? {} : { expression }),
});

export const integer = typed<number>(sql`int`);
export const integers = typed<number[]>(sql`int[]`);
export const float = typed<number>(sql`float8`);
export const text = typed<string>(sql`text`);
export const texts = typed<string[]>(sql`text[]`);
export const boolean = typed<boolean>(sql`boolean`);
export const time = typed<Date>(sql`timestamptz`);

/** A column that may be NULL. */
export const nullable = <Value>(of: Column<Value>): Column<Value | null> => of;

/** The name of a user, of the join `u` unless another one is named. */
export const userName = (joined = "u"): Column<string> => typed<string>(sql`text`, sql`${identifier(joined)}.name`);

/** The columns that nearly every record has. */
export const ofRecord = { id: integer, createdAt: time, updatedAt: time };

/** Its creator, of the join `u`. */
export const ofCreator = { creatorId: integer, creatorName: userName() };

/** The user who last changed it, of the join `e`. */
export const ofUpdater = { updaterId: integer, updaterName: userName("e") };

/** The expressions of the columns of a table and its joins, each with the name of its field. */
export const expressionsOf = (columns: Columns, table = "t"): [name: string, Sql][] =>
  Object.entries(columns).map(([name, { expression }]) => [
    name,
    expression ?? sql`${identifier(table)}.${identifier(toSnake(name))}`,
  ]);

/** The columns of a table and its joins, named as their fields. */
export const selected = (columns: Columns, table?: string): Sql =>
  join(expressionsOf(columns, table).map(([name, value]) => sql`${value} AS ${identifier(name)}`));

/** The names of the columns in SQL. */
export const namesOf = (columns: Columns): string[] => Object.keys(columns).map(toSnake);
