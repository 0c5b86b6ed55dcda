/** The fields of records that are more than columns, each as a few lines of data: computed fields, and relations to other records. */
import { type ClassType, Ctx, FieldResolver, Root } from "type-graphql";
import type { Viewer } from "../../src/runtime/auth/viewer.js";
import { renderStored } from "../../src/text/rendered.js";
import type { GraphQLContext } from "../context.js";
import type { Loaders, OwnerLoader } from "../loaders.js";
import { type Bound, costOf, First, lengthOf, type Priced, RECORDS, wanted } from "./bounded.js";
import {
  boolean,
  Costing,
  type FieldSpec,
  type FieldSpecs,
  nested,
  objectType,
  string,
  typeOf,
  type ValuesOf,
} from "./fields.js";
import { argsOf, loaderOf, type Member, method, named } from "./operations.js";

/** A field that is more than a column of its record. */
export const computed =
  <Value>(
    spec: FieldSpec<Value>,
    compute: (record: never, context: GraphQLContext) => NoInfer<Value> | Promise<NoInfer<Value>>,
  ): Member =>
  (prototype, name) => {
    const resolves = FieldResolver(typeOf(spec), { nullable: spec.isNullable, description: spec.description });
    method(prototype, name, compute, [resolves, ...spec.decorators], [Root(), Ctx()]);
  };

/** Cost of a long text as HTML: up to 40 milliseconds for 80,000 characters, but only for the first request for it. */
const RENDERING = 200;

/** A field with a long text of the record as HTML. @param textOf the text that the viewer may see */
export const rendered = (description: string, textOf: (record: never, context: GraphQLContext) => string): Member =>
  computed(string(description, Costing(RENDERING)), (record: never, context) => renderStored(textOf(record, context)));

interface Computing<Args extends FieldSpecs> {
  /** arguments besides `first` */
  args?: Args;
  /** what it costs, if not just the points of its records */
  cost?: (ofRecords: number) => number;
}

/**
 * A field that returns the first items of a computed list.
 * @param compute gets the length of the list
 */
export const computedList =
  <Args extends FieldSpecs>(
    of: () => ClassType,
    bound: Bound,
    description: string,
    compute: (
      owner: never,
      context: GraphQLContext,
      length: number,
      args: ValuesOf<Args>,
    ) => Promise<readonly (object | null)[]>,
    { args = {} as Args, cost = (ofRecords) => ofRecords }: Computing<Args> = {},
  ): Member =>
  (prototype, name) => {
    const run = async (owner: never, context: GraphQLContext, first: number | null, ...values: unknown[]) =>
      (await compute(owner, context, lengthOf(bound, first), named(args, values))).filter((each) => each !== null);
    const complexity = (priced: Priced) => cost(costOf(bound)(priced));
    const decorators = [FieldResolver(() => [of()], { description, complexity })];
    method(prototype, name, run, decorators, [Root(), Ctx(), First(bound), ...argsOf(args)]);
  };

/**
 * The relation from a record to another one, whose id the record has in the field of the same name with `Id`; null
 * if it has none, or if the viewer may not see that record.
 */
export const relation =
  (to: () => ClassType, description: string): Member =>
  (prototype, name) => {
    const run = (record: Record<string, number | null>, { loaders }: GraphQLContext) => {
      const id = record[`${name}Id`];
      return typeof id === "number" ? loaderOf(loaders, to()).load(id) : null;
    };
    method(prototype, name, run, [FieldResolver(to, { nullable: true, description })], [Root(), Ctx()]);
  };

interface Listed {
  bound?: Bound;
  /** whether the owner's own fields say that there are none: then nothing is read */
  hasNone?: (owner: never) => boolean;
}

/** A field that returns the first records that belong to a record, from a loader. */
export const records =
  (of: () => ClassType, loader: ListLoader, description: string, { bound = RECORDS, hasNone }: Listed = {}): Member =>
  (prototype, name) => {
    const run = (owner: { id: number }, first: number | null, { loaders }: GraphQLContext) =>
      hasNone?.(owner as never) ? [] : loaders[loader].load(wanted(bound, owner, first));
    const decorators = [FieldResolver(() => [of()], { description, complexity: costOf(bound) })];
    method(prototype, name, run, decorators, [Root(), First(bound), Ctx()]);
  };

/** A field that returns the first of the records whose ids the owner has. */
export const recordsBy = (
  of: () => ClassType,
  idsOf: (owner: never) => readonly number[],
  description: string,
): Member =>
  computedList(of, RECORDS, description, (owner, { loaders }, length) =>
    Promise.all(
      idsOf(owner)
        .slice(0, length)
        .map((id) => loaderOf(loaders, of()).load(id)),
    ),
  );

type ListLoader = { [Name in keyof Loaders]: Loaders[Name] extends OwnerLoader<unknown> ? Name : never }[keyof Loaders];

/**
 * The field with the viewer's rights on a record.
 * @param of the record in text: `a note`
 * @param rules name, policy rule and description of each action
 */
export const abilities =
  (
    of: string,
    rules: Readonly<Record<string, readonly [(viewer: Viewer, record: never) => boolean, string]>>,
  ): Member =>
  (prototype, name, type) => {
    const specs = Object.entries(rules).map(([action, [, description]]) => [action, boolean(description)]);
    const Abilities = objectType(
      `${type.name}Abilities`,
      `What the viewer is allowed to do with ${of}.`,
      Object.fromEntries(specs),
    );
    const field = nested(() => Abilities, "What the viewer is allowed to do with it.");
    const allowed = (record: never, { viewer }: GraphQLContext) =>
      Object.fromEntries(Object.entries(rules).map(([action, [allows]]) => [action, allows(viewer, record)]));
    computed<object>(field, allowed)(prototype, name, type);
  };
