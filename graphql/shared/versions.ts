/** The history of one kind of records: its type, the input of its listing, and the two queries. */
import type { ClassType } from "type-graphql";
import type { HISTORIES } from "../../src/resources/histories.js";
import { User } from "../users/user.type.js";
import { allNullable, date, type FieldSpecs, inputType, int, ints, objectType, string } from "./fields.js";
import { list, lowerFirst, type Member, one, previous, relation, resolver } from "./operations.js";

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
  const Version = objectType(`${Record.name}Version`, `A state that ${article} ${word} had.`, {
    id: int(`Number of the version; pass it to \`revert${Record.name}\`.`),
    [`${name}Id`]: int(`Number of the ${word}.`),
    version: int(`1 for the first state, then one more with each edit of the ${word}.`),
    updaterId: int("Who made the edit."),
    updaterName: string("Name of who made the edit."),
    ...fields,
    createdAt: date("When the edit was made."),
    updatedAt: date("When the version last changed; later than `createdAt` only where edits are merged."),
  });
  const Search = inputType(
    `${Version.name}Search`,
    `Which versions of ${plural} to list.`,
    allNullable({
      id: ints("Versions of these numbers."),
      [`${name}Id`]: ints(`Versions of these ${plural}.`),
      ...search,
      updaterId: ints("Edits by these users."),
      updaterName: string("Edits by the user of this name."),
    }),
  );
  const queries = {
    [`${name}Versions`]: list({
      of: Version,
      description: `Lists versions of ${plural}, newest first.`,
      search: [Search, "Which versions to list."],
      find: ({ board, viewer }, given, page) => board.versions[name].search(viewer, given as never, page),
    }),
    [`${name}Version`]: one({
      of: Version,
      description: `One version of ${article} ${word}.`,
      id: "Number of the version.",
    }),
    [name]: relation(() => Record, `The ${word} as it is now.`),
    updater: relation(() => User, "Who made the edit."),
    previous: previous(() => Version, "The version before it; null for the first."),
  };
  return { type: Version, resolver: resolver(Version, { ...queries, ...members }) };
}
