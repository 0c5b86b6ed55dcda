/** The history of one kind of records: its type, the input of its listing, and the two queries. */
import type { ClassType } from "type-graphql";
import { lowerFirst } from "../../src/lib/case.js";
import type { HISTORIES } from "../../src/resources/histories.js";
import { User } from "../users/user.type.js";
import { date, type FieldSpecs, int, ints, objectType, string, optionalInput } from "./fields.js";
import { list, type Member, one, previous, relation, resolver } from "./operations.js";

export interface VersionsOf {
  /** what the record is called, and several of them: `["note", "notes"]` */
  words: readonly [string, string];
  /** what a version keeps, and what it says of the edit */
  fields: FieldSpecs;
  /** what a listing may be asked for besides versions, records and users */
  search?: FieldSpecs;
  /** fields that are more than columns */
  members?: Readonly<Record<string, Member>>;
}

export interface Versions {
  type: ClassType;
  resolver: NewableFunction;
}

/**
 * Declares the versions of a record, whose history is in `src/resources/histories.ts`.
 * @param Record its type; `NoteVersion` is that of a `Note`
 */
export function versionsOf(Record: ClassType, options: VersionsOf): Versions {
  const { words, fields, search = {}, members = {} } = options;
  const [word, plural] = words;
  const [article, name] = [/^[aeiou]/.test(word) ? "an" : "a", lowerFirst(Record.name) as keyof typeof HISTORIES];
  const Version = objectType(`${Record.name}Version`, `A version of ${article} ${word}.`, {
    id: int(`ID of the version; pass it to \`revert${Record.name}\`.`),
    [`${name}Id`]: int(`ID of the ${word}.`),
    version: int(`Number of the version: 1 for the first of the ${word}, incremented by each edit.`),
    updaterId: int("The user who made the edit."),
    updaterName: string("Name of the user who made the edit."),
    ...fields,
    createdAt: date("When the edit was made."),
    updatedAt: date("When the version was last updated; later than `createdAt` only if edits were merged."),
  });
  const Search = optionalInput(`${Version.name}Search`, `Filters for the list of versions of ${plural}.`, {
    id: ints("Versions with these IDs."),
    [`${name}Id`]: ints(`Versions of these ${plural}.`),
    ...search,
    updaterId: ints("Edits by these users."),
    updaterName: string("Edits by the user with this name."),
  });
  const queries = {
    [`${name}Versions`]: list({
      of: Version,
      description: `Lists versions of ${plural}, newest first.`,
      search: [Search, "Filters for the list of versions."],
      find: ({ board, viewer }, given, page) => board.versions[name].search(viewer, given as never, page),
    }),
    [`${name}Version`]: one({
      of: Version,
      description: `One version of ${article} ${word}.`,
      id: "ID of the version.",
    }),
    [name]: relation(() => Record, `The ${word} in its current state.`),
    updater: relation(() => User, "The user who made the edit."),
    previous: previous(() => Version, "The previous version; null for the first."),
  };
  return { type: Version, resolver: resolver(Version, { ...queries, ...members }) };
}

/** The fields of the input that reverts a record. @param record in words: `note` */
export const revertTo = (record: string) => ({
  id: int(`ID of the ${record}.`),
  versionId: int(`ID of the version, which must belong to this ${record}.`),
});
