/** The histories of the registry: services that read versions, and those of lists of posts. */
import type { PostListHistory } from "./posts/post.expunge.js";
import { HISTORIES } from "./registry.js";
import { type Described, VersionService } from "./shared/history.js";
import type { ListParts } from "./shared/read-model.js";

export { HISTORIES };

type Histories = typeof HISTORIES;
type SearchOf<Of> = Of extends { of: Described<never, never, never, never, infer Search> } ? Search : object;
type ReadBy<Of> = Of extends { model: { byId: (...args: never[]) => Promise<infer Version> } }
  ? NonNullable<Version>
  : never;

export type Version<Name extends keyof Histories> = ReadBy<Histories[Name]>;

export type VersionServices = {
  [Name in keyof Histories]: VersionService<Name, Version<Name>, SearchOf<Histories[Name]>>;
};

export const versionServices = (parts: ListParts): VersionServices =>
  Object.fromEntries(
    Object.entries(HISTORIES).map(([name, history]) => [name, new VersionService(parts, history as never)]),
  ) as never;

/** Records with `postIds`, such as pools. */
export const POST_LISTS = Object.values(HISTORIES).filter(
  ({ of }) => "postIds" in of.state,
) as unknown as readonly PostListHistory[];
