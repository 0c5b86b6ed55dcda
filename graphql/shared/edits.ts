/**
 * The mutations that most records have, one line each: `const edits = editsOf(Note, ({ notes }) => notes)`, and then
 * `createNote: edits.create(...)`. The descriptions of their inputs and payloads follow from the name of the record's type.
 */
import type { ClassType } from "type-graphql";
import type { Board } from "../../src/board.js";
import type { RequestContext } from "../../src/context.js";
import { toWords, withArticle } from "../../src/lib/case.js";
import type { ActionName } from "../../src/runtime/limits/actions.js";
import { type FieldSpecs, int } from "./fields.js";
import { type Member, mutation, type SpecsOf } from "./operations.js";

/** Actions on a record that need only its id: the infinitive and the participle. */
const ACTIONS = {
  approve: ["approve", "approved"],
  ban: ["ban", "banned"],
  delete: ["delete", "deleted"],
  undelete: ["restore", "restored"],
  unban: ["unban", "unbanned"],
} as const;
type Action = keyof typeof ACTIONS;

/** The hourly limit of an edit; null for edits by staff only. */
type Limit = ActionName | null;

type Method<Args extends unknown[]> = (context: RequestContext, ...args: Args) => Promise<object>;
type InputOf<Service> = Service extends { create: Method<[infer Input extends object]> } ? Input : never;
type EditOf<Service> = Service extends { update: Method<[number, infer Edit extends object]> } ? Edit : never;

/**
 * The mutations of a record.
 * @param of its type
 * @param serviceOf the service with methods of the same names
 */
export function editsOf<Service extends object>(of: ClassType, serviceOf: (board: Board) => Service) {
  const word = toWords(of.name);
  const id = int(`ID of the ${word}.`);
  const run = (name: string, context: RequestContext & { board: Board }, ...args: unknown[]) =>
    (serviceOf(context.board) as Record<string, Method<unknown[]>>)[name]?.(context, ...args) as Promise<object>;
  return {
    /** `create<Record>`. @param fields of its input */
    create: <Input extends InputOf<Service>>(
      description: string,
      fields: SpecsOf<Input>,
      limited: Limit = "recordEdit",
    ): Member =>
      mutation({
        description,
        limited,
        input: [fields, `A new ${word}.`, `The ${word}.`],
        payload: [of, `The new ${word}.`],
        resolve: (context, input) => run("create", context, input),
      }),

    /** `update<Record>`. @param fields of its input, besides `id` */
    update: <Edit extends EditOf<Service>>(
      description: string,
      fields: SpecsOf<Edit>,
      limited: Limit = "recordEdit",
    ): Member =>
      mutation({
        description,
        limited,
        input: [
          { id, ...(fields as FieldSpecs) },
          `An edit of ${withArticle(word)}. Absent fields do not change.`,
          "The edit.",
        ],
        payload: [of, `The ${word} after the edit.`],
        resolve: (context, { id: number, ...edit }) => run("update", context, number, edit),
      }),

    /** `revert<Record>`, which restores the state of a version. */
    revert: (description: string, limited: Limit = "recordEdit"): Member =>
      mutation({
        description,
        limited,
        input: [
          { id, versionId: int(`ID of the version, which must belong to this ${word}.`) },
          "The version to revert to.",
          `The ${word} and the version.`,
        ],
        payload: [of, `The ${word} after the revert.`],
        resolve: (context, { id: number, versionId }) => run("revert", context, number, versionId),
      }),

    /** A mutation that needs only the record's id. @param action the method of the service */
    act: (action: Action & keyof Service, description: string, limited: Limit = "recordEdit"): Member => {
      const [verb, done] = ACTIONS[action];
      return mutation({
        description,
        limited,
        input: [{ id }, `The ${word} to ${verb}.`, `The ${word}.`],
        payload: [of, `The ${done} ${word}.`],
        resolve: (context, { id: number }) => run(action, context, number),
      });
    },
  };
}
