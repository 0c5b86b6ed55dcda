/** Spellings: parameters and fields are snake_case here, camelCase in GraphQL, dasherised in XML. */

export { toCamel, toSnake } from "../../src/lib/case.js";
export const toDashed = (name: string): string => name.replaceAll("_", "-");

/** `urls` -> `url`, `added_tags` -> `added_tag`, `categories` -> `category`. */
export const singular = (name: string): string =>
  name.endsWith("ies") ? `${name.slice(0, -3)}y` : name.replace(/s$/, "");
