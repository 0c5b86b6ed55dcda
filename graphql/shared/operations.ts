/**
 * The fields of the root types, each as a few lines of data: list records, find one by its number, answer another query, run a
 * mutation of a service, subscribe to records. Whatever is more than that is a resolver class.
 */
import {
  Arg,
  type ClassType,
  Ctx,
  Extensions,
  type MiddlewareFn,
  Mutation,
  Query,
  Resolver,
  type ResolverData,
  Root,
  Subscription,
  UseMiddleware,
} from "type-graphql";
import type { Page } from "../../src/search/listing.js";
import type { PageRequest } from "../../src/resources/shared/paging.js";
import { lowerFirst, toWords, upperFirst } from "../../src/lib/case.js";
import type { ActionName } from "../../src/runtime/limits/actions.js";
import type { GraphQLContext, SubscriptionContext } from "../context.js";
import { Permitted } from "./access.js";
import { type Bound, costOf, PAGE } from "./bounded.js";
import { Connection, pageArgs, toConnection, toPageRequest } from "./connection.js";
import {
  Costing,
  type FieldSpec,
  type FieldSpecs,
  inputType,
  int,
  namedClass,
  nested,
  nullable,
  objectType,
  optionalInput,
  typeOf,
  type ValuesOf,
} from "./fields.js";

/** Declares a member of a class of resolvers of a type, under a name. */
export type Member = (prototype: object, name: string, type: ClassType) => void;

export function resolversOf(type: ClassType, members: Readonly<Record<string, Member>>): void {
  const Members = namedClass(`${type.name}Members`);
  Resolver(() => type)(Members);
  for (const [name, declare] of Object.entries(members)) declare(Members.prototype, name, type);
}

/** Adds a function as a method, with decorators for it and its parameters. */
export function method(
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

/** Filters, which form an input of their own; or an input shared by several lists, with its description. */
type SearchInput<Search extends object> = SpecsOf<Search> | readonly [ClassType<Search>, string];

export interface ListOf<Search extends object, Args extends FieldSpecs> {
  of: ClassType;
  description: string;
  /** the page of records */
  search?: SearchInput<Search>;
  /** further arguments */
  args?: Args;
  /** the page size, if not the usual one */
  page?: Bound;
  find: (
    context: GraphQLContext,
    search: Partial<Search>,
    page: PageRequest,
    args: ValuesOf<Args>,
  ) => Promise<Page<{ id: number }>>;
}

export const list =
  <Search extends object, Args extends FieldSpecs>(options: ListOf<Search, Args>): Member =>
  (prototype, name, type) => {
    const { of, description, search, args, page = PAGE, find } = options;
    const PageOf = Connection(of); // evaluated now, since the schema is built from the types that exist then
    const filters = search && { search: filtersOf(name, of, search as SearchInput<object>) };
    const declare = query({
      returns: nested(() => PageOf, description, Costing(costOf(page))),
      args: { ...pageArgs, ...args, ...filters },
      resolve: async (context, given) => {
        const { search: sought } = given as { search?: Partial<Search> | null };
        return toConnection(await find(context, sought ?? {}, toPageRequest(given), given as ValuesOf<Args>));
      },
    });
    declare(prototype, name, type);
  };

/** The argument for a list's filters, each of which may be absent; they form an input of their own unless they are one already. */
function filtersOf(name: string, of: ClassType, search: SearchInput<object>): FieldSpec {
  if (Array.isArray(search)) return nullable(nested(() => search[0] as ClassType, search[1] as string));
  const description = `Filters for the list of ${toWords(name)}.`;
  const Search = optionalInput(`${of.name}Search`, description, search as FieldSpecs);
  return nullable(nested(() => Search, description));
}

export const argsOf = (args: FieldSpecs): ReturnType<typeof Arg>[] =>
  Object.entries(args).map(([name, spec]) =>
    Arg(name, typeOf(spec), { nullable: spec.isNullable, description: spec.description }),
  );

export const named = <Args extends FieldSpecs>(args: Args, values: readonly unknown[]): ValuesOf<Args> =>
  Object.fromEntries(Object.keys(args).map((name, index) => [name, values[index]])) as ValuesOf<Args>;

export interface QueryOf<Args extends FieldSpecs> {
  /** its type and description */
  returns: FieldSpec;
  args?: Args;
  /** as for `Permitted` */
  beforeLogin?: boolean;
  resolve: (context: GraphQLContext, args: ValuesOf<Args>) => unknown;
}

/** Any other query. */
export const query =
  <Args extends FieldSpecs>({ returns, args = {} as Args, beforeLogin, resolve }: QueryOf<Args>): Member =>
  (prototype, name) => {
    const run = (context: GraphQLContext, ...values: unknown[]) => resolve(context, named(args, values));
    const { description, isNullable, decorators } = returns;
    const declared = [Permitted({ beforeLogin }), Query(typeOf(returns), { nullable: isNullable, description })];
    method(prototype, name, run, [...declared, ...decorators], [Ctx(), ...argsOf(args)]);
  };

export interface One {
  of: ClassType;
  description: string;
  /** description of the argument `id` */
  id: string;
}

/** A query for one record by its number, which the loader of the type's name finds. */
export const one = ({ of, description, id }: One): Member =>
  query({
    returns: nullable(nested(() => of, description)),
    args: { id: int(id) },
    resolve: ({ loaders }, { id: number }) => loaderOf(loaders, of).load(number),
  });

export interface MutationOf<Input extends object> {
  description: string;
  /** its hourly limit; none for most actions of staff */
  limited?: ActionName | null;
  /** as for `Permitted` */
  beforeLogin?: boolean;
  /** the argument and its description; for an input of its own, its fields and description come first */
  input?: readonly [ClassType<Input>, string] | readonly [SpecsOf<Input>, string, string];
  /** whether the input may be left out, as all its fields may */
  isInputOptional?: boolean;
  /**
   * what it returns: a record with its description, and that of the payload if it differs; or a payload
   * with more than one record
   */
  payload: RecordPayload | ClassType;
  /** the record, or the payload if it has more */
  resolve: (context: GraphQLContext, input: Input) => Promise<object | null>;
}

export type SpecsOf<Values> = { readonly [Name in keyof Values]: FieldSpec<Values[Name]> };
type RecordPayload = readonly [ClassType, string, string?];

/** A mutation with one input. */
export const mutation =
  <Input extends object>(of: MutationOf<Input>): Member =>
  (prototype, name) => {
    const { description, limited, beforeLogin, input, isInputOptional = false, payload, resolve } = of;
    const isRecord = Array.isArray(payload);
    const Payload = isRecord ? payloadOf(name, payload as RecordPayload) : (payload as ClassType);
    const run = async (context: GraphQLContext, given: Input | null) => {
      const result = await resolve(context, given ?? ({} as Input));
      return isRecord ? { [lowerFirst(payload[0].name)]: result } : result;
    };
    const permitted = Permitted({ beforeLogin });
    const decorators = [Mutation(() => Payload, { description }), permitted, ...(limited ? limitedBy(limited) : [])];
    const args = input ? [inputOf(name, input, isInputOptional)] : [];
    method(prototype, name, run, decorators, [Ctx(), ...args]);
  };

function inputOf<Input extends object>(
  name: string,
  [of, description, ofArgument]: NonNullable<MutationOf<Input>["input"]>,
  isOptional: boolean,
): ReturnType<typeof Arg> {
  if (typeof of === "function") return Arg("input", () => of, { nullable: isOptional, description });
  const Input = inputType(`${upperFirst(name)}Input`, description, of as FieldSpecs);
  return Arg("input", () => Input, { nullable: isOptional, description: ofArgument as string });
}

/** The payload of a mutation that returns one record. */
const payloadOf = (name: string, [record, description, ofPayload = description]: RecordPayload): ClassType =>
  objectType(`${upperFirst(name)}Payload`, ofPayload, { [lowerFirst(record.name)]: nested(() => record, description) });

export interface SubscriptionOf<Args extends FieldSpecs> {
  of: ClassType;
  description: string;
  args?: Args;
  /** the stream of records */
  subscribe: (context: SubscriptionContext, args: ValuesOf<Args>) => AsyncIterable<object>;
}

export const subscription =
  <Args extends FieldSpecs>({ of, description, args = {} as Args, subscribe }: SubscriptionOf<Args>): Member =>
  (prototype, name) => {
    const begin = ({ context, args: given }: Pick<ResolverData<SubscriptionContext>, "context" | "args">) =>
      subscribe(context, given as ValuesOf<Args>);
    const decorators = [Permitted(), Subscription(() => of, { description, subscribe: begin })];
    method(prototype, name, (record: object) => record, decorators, [Root(), ...argsOf(args)]);
  };

interface ById {
  load(id: number): Promise<object | null>;
}

/** The loader of records of a type by their numbers. */
export const loaderOf = (loaders: GraphQLContext["loaders"], type: ClassType): ById =>
  (loaders as unknown as Record<string, ById>)[lowerFirst(type.name)] as ById;

const counting =
  (action: ActionName): MiddlewareFn<GraphQLContext> =>
  async ({ context: { board, viewer, address } }, next) => {
    await board.limiter.act(action, viewer, address);
    return next() as unknown;
  };

/**
 * The decorators of a field with an hourly limit of its own (`src/runtime/limits/actions.ts`), counted after that check and before anything
 * is read: a BoardError 421 if the viewer's is used up.
 */
const limitedBy = (action: ActionName): MethodDecorator[] => [
  Extensions({ limited: action }),
  UseMiddleware(counting(action)),
];
