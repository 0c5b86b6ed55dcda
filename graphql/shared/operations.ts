/**
 * What most resolvers do, each as a few lines of data: list records, find one by its number, answer another query, run a mutation of a
 * service, lead from a record to another one, and say what the viewer may do with it. Whatever is more than that is a resolver class.
 */
import { Arg, Args, type ClassType, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import type { Page } from "../../src/search/listing.js";
import type { PageRequest } from "../../src/resources/shared/paging.js";
import { lowerFirst, upperFirst } from "../../src/lib/case.js";
import type { Viewer } from "../../src/runtime/auth/viewer.js";
import type { ActionName } from "../../src/runtime/limits/actions.js";
import type { GraphQLContext } from "../context.js";
import type { Loaders, OwnerLoader } from "../loaders.js";
import { Gated } from "./access.js";
import { type Bound, costOf, First, lengthOf, PAGE, RECORDS, wanted } from "./bounded.js";
import { Connection, ListArgs, toConnection, toPageRequest } from "./connection.js";
import {
  boolean,
  type FieldSpec,
  type FieldSpecs,
  inputType,
  namedClass,
  nested,
  objectType,
  typeOf,
  type ValuesOf,
} from "./fields.js";
import { Limited } from "./limited.js";

/** Declares a member of a class of resolvers of a type, under a name. */
export type Member = (prototype: object, name: string, type: ClassType) => void;

/** A class of resolvers, for `schema.ts`. */
export function resolver(type: ClassType, members: Readonly<Record<string, Member>>): NewableFunction {
  const Members = namedClass(`${type.name}Members`);
  Resolver(() => type)(Members);
  for (const [name, declare] of Object.entries(members)) declare(Members.prototype, name, type);
  return Members;
}

/** Puts a function there as a method, with what its decorators say of it and of its parameters. */
function method(
  prototype: object,
  name: string,
  run: (...args: never[]) => unknown,
  decorators: readonly (MethodDecorator | PropertyDecorator)[],
  parameters: readonly ReturnType<typeof Ctx>[],
): void {
  Object.defineProperty(prototype, name, { value: run, writable: true, configurable: true });
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name) as PropertyDescriptor;
  parameters.forEach((decorate, index) => decorate(prototype, name, index));
  for (const decorate of decorators) decorate(prototype, name, descriptor);
}

export interface ListOf<Search extends object, Args extends FieldSpecs> {
  of: ClassType;
  description: string;
  /** the input that says which records, and what to say of it */
  search?: readonly [ClassType<Search>, string];
  /** further arguments */
  args?: Args;
  /** how long a page is, where not as usual */
  page?: Bound;
  find: (
    context: GraphQLContext,
    search: Partial<Search>,
    page: PageRequest,
    args: ValuesOf<Args>,
  ) => Promise<Page<{ id: number }>>;
}

/** A query for a list of records. */
export const list =
  <Search extends object, Args extends FieldSpecs>(query: ListOf<Search, Args>): Member =>
  (prototype, name) => {
    const { of, description, search, args = {} as Args, page = PAGE, find } = query;
    const run = async (paging: ListArgs, context: GraphQLContext, ...values: unknown[]) => {
      const given = search ? (values.pop() as Search | null) : null;
      return toConnection(await find(context, given ?? {}, toPageRequest(paging), named(args, values)));
    };
    const PageOf = Connection(of); // now, since the schema has the types that are there when it is built
    const decorators = [Gated(), Query(() => PageOf, { description, complexity: costOf(page) })];
    const filters = search ? [Arg("search", () => search[0], { nullable: true, description: search[1] })] : [];
    method(prototype, name, run, decorators, [Args(() => ListArgs), Ctx(), ...argsOf(args), ...filters]);
  };

const argsOf = (args: FieldSpecs): ReturnType<typeof Arg>[] =>
  Object.entries(args).map(([name, spec]) =>
    Arg(name, typeOf(spec), { nullable: spec.isNullable, description: spec.description }),
  );

/** The values of arguments by their names. */
const named = <Args extends FieldSpecs>(args: Args, values: readonly unknown[]): ValuesOf<Args> =>
  Object.fromEntries(Object.keys(args).map((name, index) => [name, values[index]])) as ValuesOf<Args>;

export interface QueryOf<Args extends FieldSpecs> {
  /** what it returns, and what to say of it */
  returns: FieldSpec;
  args?: Args;
  /** as for `Gated` */
  beforeLogin?: boolean;
  resolve: (context: GraphQLContext, args: ValuesOf<Args>) => unknown;
}

/** Any other query. */
export const query =
  <Args extends FieldSpecs>({ returns, args = {} as Args, beforeLogin, resolve }: QueryOf<Args>): Member =>
  (prototype, name) => {
    const run = (context: GraphQLContext, ...values: unknown[]) => resolve(context, named(args, values));
    const { description, isNullable, decorators } = returns;
    const declared = [Gated({ beforeLogin }), Query(typeOf(returns), { nullable: isNullable, description })];
    method(prototype, name, run, [...declared, ...decorators], [Ctx(), ...argsOf(args)]);
  };

export interface One {
  of: ClassType;
  description: string;
  /** what to say of the argument `id` */
  id: string;
}

/** A query for one record by its number, which the loader of the type's name finds. */
export const one =
  ({ of, description, id }: One): Member =>
  (prototype, name) => {
    const run = (number: number, { loaders }: GraphQLContext) => loaderOf(loaders, of).load(number);
    const decorators = [Gated(), Query(() => of, { nullable: true, description })];
    method(prototype, name, run, decorators, [Arg("id", () => Int, { description: id }), Ctx()]);
  };

export interface MutationOf<Input extends object> {
  description: string;
  /** the hourly limit that counts it */
  limited?: ActionName;
  /** as for `Gated` */
  beforeLogin?: boolean;
  /** the one argument, and what to say of it; of an input that no other mutation has, its fields and what to say of it come first */
  input?: readonly [ClassType<Input>, string] | readonly [SpecsOf<Input>, string, string];
  /** whether the input may be left out, as all its fields may */
  isInputOptional?: boolean;
  /**
   * what it answers with: a record, what to say of it, and of the payload around it where that is not the same; or a payload
   * with more than one record
   */
  payload: RecordPayload | ClassType;
  /** the record, or the payload with more than that */
  resolve: (context: GraphQLContext, input: Input) => Promise<object | null>;
}

type SpecsOf<Values> = { readonly [Name in keyof Values]: FieldSpec<Values[Name]> };
type RecordPayload = readonly [ClassType, string, string?];

/** A mutation with one input. */
export const mutation =
  <Input extends object>(of: MutationOf<Input>): Member =>
  (prototype, name) => {
    const { description, limited, beforeLogin, input, isInputOptional: nullable = false, payload, resolve } = of;
    const isRecord = Array.isArray(payload);
    const Payload = isRecord ? payloadOf(name, payload as RecordPayload) : (payload as ClassType);
    const run = async (context: GraphQLContext, given: Input | null) => {
      const result = await resolve(context, given ?? ({} as Input));
      return isRecord ? { [lowerFirst(payload[0].name)]: result } : result;
    };
    const gate = Gated({ beforeLogin });
    const decorators = [Mutation(() => Payload, { description }), gate, ...(limited ? [Limited(limited)] : [])];
    const args = input ? [inputOf(name, input, nullable)] : [];
    method(prototype, name, run, decorators, [Ctx(), ...args]);
  };

function inputOf<Input extends object>(
  name: string,
  [of, said, ofArgument]: NonNullable<MutationOf<Input>["input"]>,
  nullable: boolean,
): ReturnType<typeof Arg> {
  if (typeof of === "function") return Arg("input", () => of, { nullable, description: said });
  const Input = inputType(`${upperFirst(name)}Input`, said, of as FieldSpecs);
  return Arg("input", () => Input, { nullable, description: ofArgument as string });
}

/** The payload of a mutation that answers with one record. */
const payloadOf = (name: string, [record, description, ofPayload = description]: RecordPayload): ClassType =>
  objectType(`${upperFirst(name)}Payload`, ofPayload, { [lowerFirst(record.name)]: nested(() => record, description) });

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

/**
 * The field that leads from a record to another one, whose number the record has in the field of the same name with `Id`; null
 * where it has none, or where there is no such record for the viewer.
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

/** The field that leads from a version to the one before it. */
export const previous =
  (version: () => ClassType, description: string): Member =>
  (prototype, name, type) => {
    const loader = `previous${type.name}`;
    const run = ({ id }: { id: number }, { loaders }: GraphQLContext) =>
      (loaders as unknown as Record<string, ById>)[loader]?.load(id) ?? null;
    method(prototype, name, run, [FieldResolver(version, { nullable: true, description })], [Root(), Ctx()]);
  };

/** The field that lists the first of what belongs to a record, as a loader gives them. */
export const records =
  (of: () => ClassType, loader: ListLoader, description: string, bound: Bound = RECORDS): Member =>
  (prototype, name) => {
    const run = (owner: { id: number }, first: number | null, { loaders }: GraphQLContext) =>
      loaders[loader].load(wanted(bound, owner, first));
    const decorators = [FieldResolver(() => [of()], { description, complexity: costOf(bound) })];
    method(prototype, name, run, decorators, [Root(), First(bound), Ctx()]);
  };

/** The field that lists the first of the records whose numbers the owner has. */
export const recordsBy =
  (of: () => ClassType, idsOf: (owner: never) => readonly number[], description: string): Member =>
  (prototype, name) => {
    const run = async (owner: never, first: number | null, { loaders }: GraphQLContext) => {
      const ids = idsOf(owner).slice(0, lengthOf(RECORDS, first));
      const found = await Promise.all(ids.map((id) => loaderOf(loaders, of()).load(id)));
      return found.filter((record) => record !== null);
    };
    const decorators = [FieldResolver(() => [of()], { description, complexity: costOf(RECORDS) })];
    method(prototype, name, run, decorators, [Root(), First(RECORDS), Ctx()]);
  };

/** The loaders of lists. */
type ListLoader = { [Name in keyof Loaders]: Loaders[Name] extends OwnerLoader<unknown> ? Name : never }[keyof Loaders];

/**
 * The field that says what the viewer may do with a record.
 * @param of the record in words: `a note`
 * @param rules what each action is called, the rule of its policy, and what to say of it
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
    const run = (record: never, { viewer }: GraphQLContext) =>
      Object.fromEntries(Object.entries(rules).map(([action, [allows]]) => [action, allows(viewer, record)]));
    const decorators = [FieldResolver(() => Abilities, { description: "What the viewer is allowed to do with it." })];
    method(prototype, name, run, decorators, [Root(), Ctx()]);
  };

interface ById {
  load(id: number): Promise<object | null>;
}

/** The loader of records of a type by their numbers. */
const loaderOf = (loaders: GraphQLContext["loaders"], type: ClassType): ById =>
  (loaders as unknown as Record<string, ById>)[lowerFirst(type.name)] as ById;
