/**
 * type-graphql passes each argument of a resolver through a promise, which would validate it. Validation is off, and graphql-js has
 * coerced the arguments, so resolvers get them at once; only inputs still become instances of their classes by the library.
 */
import type { ResolverData } from "type-graphql";

type Storage = typeof globalThis.TypeGraphQLMetadataStorage;
type Parameter = Storage["params"][number];

/** To be called after the schema was built from the storage, which can't be done again: its resolvers read their parameters at each call. */
export function passPlainArguments(storage: Storage): void {
  const { queries, mutations, subscriptions, fieldResolvers } = storage;
  for (const handler of [...queries, ...mutations, ...subscriptions, ...fieldResolvers])
    handler.params = handler.params?.map((parameter) => plain(parameter, storage));
}

function plain(parameter: Parameter, storage: Storage): Parameter {
  if (parameter.kind !== "arg" && parameter.kind !== "args") return parameter;
  if (typesOf(parameter, storage).some((type) => isInput(type, storage))) return parameter;
  const { target, methodName, index } = parameter;
  const resolver =
    parameter.kind === "arg"
      ? ({ args }: ResolverData) => args[parameter.name] as unknown
      : ({ args }: ResolverData) => args;
  return { kind: "custom", target, methodName, index, resolver, options: {} };
}

/** The type of an argument, or those of all arguments of a class. */
function typesOf(parameter: Extract<Parameter, { kind: "arg" | "args" }>, { argumentTypes }: Storage): unknown[] {
  const type = parameter.getType();
  if (parameter.kind === "arg") return [type];
  return argumentTypes.find(({ target }) => target === type)?.fields?.map((field) => field.getType()) ?? [];
}

const isInput = (type: unknown, { inputTypes }: Storage): boolean => inputTypes.some(({ target }) => target === type);
