/** The history of one kind of records: its type, the input of its listing, and the two queries. */
import type { ClassType } from "type-graphql";
import { lowerFirst, toPlural, toWords, upperFirst, withArticle } from "../../src/lib/case.js";
import { HISTORIES } from "../../src/resources/histories.js";
import { User } from "../users/user.type.js";
import { date, type FieldSpecs, int, ints, nested, nullable, objectType, string } from "./fields.js";
import { list, type Member, one, resolversOf } from "./operations.js";
import { computed, relation } from "./record-fields.js";

export interface VersionsOf {
  /** the fields that a version stores, and those about the edit */
  fields: FieldSpecs;
  /** filters of a listing besides versions, records and users */
  search?: FieldSpecs;
  /** fields that are more than columns */
  members?: Readonly<Record<string, Member>>;
}

/**
 * Declares the versions of a record, whose history is in `src/resources/histories.ts`.
 * @param Record its type
 * @returns the type of its versions: `NoteVersion` for `Note`
 */
export function versionsOf(Record: ClassType, options: VersionsOf): ClassType {
  const { fields, search = {}, members = {} } = options;
  const [word, name] = [toWords(Record.name), lowerFirst(Record.name) as keyof typeof HISTORIES];
  const Version = objectType(`${Record.name}Version`, `A version of ${withArticle(word)}.`, {
    id: int(`ID of the version; pass it to \`revert${Record.name}\`.`),
    [`${name}Id`]: int(`ID of the ${word}.`),
    version: int(`Number of the version: 1 for the first of the ${word}, incremented by each edit.`),
    updaterId: int("The user who made the edit."),
    updaterName: string("Name of the user who made the edit."),
    ...fields,
    createdAt: date("When the edit was made."),
    updatedAt: date("When the version was last updated; later than `createdAt` only if edits were merged."),
  });
  const queries = {
    [`${name}Versions`]: list({
      of: Version,
      description: `Lists versions of ${toPlural(word)}, newest first.`,
      search: {
        id: ints("Versions with these IDs."),
        [`${name}Id`]: ints(`Versions of these ${toPlural(word)}.`),
        ...search,
        updaterId: ints("Edits by these users."),
        updaterName: string("Edits by the user with this name."),
      },
      find: ({ board, viewer }, given, page) => HISTORIES[name].search(board, viewer, given as never, page),
    }),
    [`${name}Version`]: one({
      of: Version,
      description: `One version of ${withArticle(word)}.`,
      id: "ID of the version.",
    }),
    [name]: relation(() => Record, `The ${word} in its current state.`),
    updater: relation(() => User, "The user who made the edit."),
    previous: computed(
      nullable(nested(() => Version, "The previous version; null for the first.")),
      ({ id }: { id: number }, { loaders }) =>
        loaders[`previous${upperFirst(name)}Version` as "previousPostVersion"].load(id),
    ),
  };
  resolversOf(Version, { ...queries, ...members });
  return Version;
}
