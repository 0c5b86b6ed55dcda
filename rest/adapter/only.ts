/** `only=id,name,creator[name]`: the top-level fields to answer. */
import { own, type Params } from "./params.js";
import type { Json } from "./row.js";

/** @returns null for all */
export function onlyOf(params: Params): ReadonlySet<string> | null {
  const only = own(params, "only");
  if (typeof only !== "string" || only.trim() === "") return null;
  return new Set(
    only
      .replace(/\[[^[\]]*\]/g, "")
      .split(",")
      .map((name) => name.trim()),
  );
}

export const pick = (record: Json, only: ReadonlySet<string> | null): Json =>
  only ? Object.fromEntries(Object.entries(record).filter(([key]) => only.has(key))) : record;
