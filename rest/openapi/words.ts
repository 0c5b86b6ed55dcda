/** Names and descriptions of the GraphQL schema in the spelling of the REST interface. */
import { toCamel, toSnake, upperFirst } from "../../src/lib/case.js";

/** Arguments of lists whose parameters have another name. */
const RENAMED: Record<string, string> = { first: "limit" };

/** A description with its names (`postId`) in snake case (`post_id`). */
export const respelled = (text: string | null | undefined): string =>
  (text ?? "").replace(/`([a-z][A-Za-z]*)`/g, (_, name: string) => `\`${respelledName(name)}\``);

function respelledName(name: string): string {
  if (/^revert[A-Z]/.test(name)) return "revert"; // the last word of the path
  return RENAMED[name] ?? toSnake(name);
}

/** Respelled, and absent rather than empty. */
export const description = (text: string | null | undefined): { description?: string } =>
  text ? { description: respelled(text) } : {};

/** The first sentence, without its full stop. */
export const summaryOf = (text: string): string => (/^[^]*?(?=\.(\s|$)|$)/.exec(text)?.[0] ?? text).trim();

/** `post_version` -> `PostVersion` */
export const toPascal = (name: string): string => upperFirst(toCamel(name));

/** `post_versions` -> `Post versions` */
export const toTitle = (name: string): string => upperFirst(name.replaceAll("_", " "));
