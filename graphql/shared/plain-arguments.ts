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

function plain(parameter: Parameter, { inputTypes }: Storage): Parameter {
  if (parameter.kind !== "arg") return parameter;
  const type: unknown = parameter.getType();
  if (inputTypes.some(({ target }) => target === type)) return parameter;
  const { target, methodName, index, name } = parameter;
  const resolver = ({ args }: ResolverData) => args[name] as unknown;
  return { kind: "custom", target, methodName, index, resolver, options: {} };
}
