/** The driver's type parsers, with faster ones for two types. */
import pg from "pg";

/** int4[] in PostgreSQL's catalogue */
const INT_ARRAY = 1007;
const { TIMESTAMPTZ } = pg.types.builtins;

/** The driver's array parser is slow because it supports strings with commas, and strings of numbers are garbage. */
const readIds = (text: string): number[] => JSON.parse(`[${text.slice(1, -1)}]`) as number[];

const parseTime = pg.types.getTypeParser(TIMESTAMPTZ) as (text: string) => unknown;
/** `2026-01-31 12:00:00.123+00`: the format of connections in UTC for times from the year 1000 on. */
const UTC_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,3})?\+00$/;

/** The driver's parser takes several times as long, because it supports all formats. */
const readTime = (text: string): unknown =>
  UTC_TIME.test(text) ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : parseTime(text);

export const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    const type: number = oid;
    if (type === INT_ARRAY) return readIds;
    return oid === TIMESTAMPTZ ? readTime : (pg.types.getTypeParser(oid, format) as unknown);
  },
};
