/** Views that more than one row needs. */
import type { Json } from "./row.js";

/** Moves the fields of nested objects up into the record. */
export const flatten =
  (...names: string[]) =>
  (record: Json): Json => {
    const { ...flat } = record;
    for (const name of names) {
      const nested = flat[name];
      delete flat[name];
      Object.assign(flat, nested);
    }
    return flat;
  };

/** Leaves out those of the fields that are null: what the viewer may not see is absent rather than empty. */
export const omitNull =
  (...names: string[]) =>
  (record: Json): Json =>
    names.some((name) => record[name] === null)
      ? Object.fromEntries(Object.entries(record).filter(([key, value]) => value !== null || !names.includes(key)))
      : record;
