/**
 * Lists within records: plain lists, limited by `first` and priced by it. Further records are in a list of their own
 * (`comments`, `notes` ...), with a greater `first`, or by `skip`.
 */
import { defaultFieldResolver, type GraphQLFieldConfig, GraphQLInt } from "graphql";
import { Arg, Extensions, Int } from "type-graphql";
import type { OwnerWanted } from "../loaders.js";

/** The length of a list. */
export interface Bound {
  /** records without `first` */
  usual: number;
  /** records at most; a larger `first` is clamped */
  most: number;
  /** how many cost a point, for numbers or names; 1 by default */
  perPoint?: number;
}

/** Records that belong to a record. */
export const RECORDS: Bound = { usual: 20, most: 100 };
/** The tags of a post. */
export const TAGS: Bound = { usual: 100, most: 1_250 };
/** Records of a page of a list. */
export const PAGE: Bound = { usual: 20, most: 1_000 };
/** The URLs of an artist, who has 150 at most. */
export const URLS: Bound = { usual: 20, most: 150 };
/** Numbers of records. */
export const IDS: Bound = { usual: 100, most: 100_000, perPoint: 20 };
/** Names of tags. */
export const NAMES: Bound = { usual: 100, most: 100_000, perPoint: 5 };
export const PAGE_TAGS: Bound = { usual: 25, most: 100 };
/** Posts on each side of a post. */
export const NEIGHBORS: Bound = { usual: 1, most: 10 };
/** Tags that go together with a search. */
export const RELATED: Bound = { usual: 25, most: 50 };
/** Tags that a wiki page links to. */
export const LINKED: Bound = { usual: 25, most: 1_000 };
export const SUGGESTIONS: Bound = { usual: 10, most: 20 };
export const URL_TEXTS: Bound = { usual: 20, most: 150, perPoint: 2 };

type First = number | null | undefined;

/** The cost of a record itself, which is read whatever is selected. */
const RECORD = 1;

/** The length for a `first`. */
export const lengthOf = ({ usual, most }: Bound, first: First): number => Math.min(Math.max(first ?? usual, 1), most);

/** The inputs of a field's cost. */
export interface Priced {
  args: { first?: First };
  childComplexity: number;
}

/** The cost of such a field: the maximum number of records times the cost of each. */
export const costOf =
  (bound: Bound) =>
  ({ args, childComplexity }: Priced): number =>
    1 + Math.ceil((lengthOf(bound, args.first) * (RECORD + childComplexity)) / (bound.perPoint ?? 1));

/** The argument `first` of a field whose list is loaded. */
export const First = (bound: Bound): ReturnType<typeof Arg> =>
  Arg("first", () => Int, { nullable: true, description: lengthText(bound) });

/** The description of `first`. */
export const lengthText = ({ usual, most }: Bound): string =>
  `Maximum number of records: 1 to ${most}, ${usual} by default; clamped.`;

/** The key for the field's loader. */
export const wanted = (bound: Bound, owner: { id: number }, first: First): OwnerWanted => ({
  ownerId: owner.id,
  limit: lengthOf(bound, first),
});

/** For a list that is part of its record: adds the argument `first`, and truncates the list. */
export const Bounded = (bound: Bound): PropertyDecorator & MethodDecorator => Extensions({ bound });

/** The field with `first` if it is `Bounded`. */
export function withBound<C>(field: GraphQLFieldConfig<unknown, C>): GraphQLFieldConfig<unknown, C> {
  const { bound } = (field.extensions as { bound?: Bound } | undefined) ?? {};
  return bound ? bounded(field, bound) : field;
}

function bounded<C>(field: GraphQLFieldConfig<unknown, C>, bound: Bound): GraphQLFieldConfig<unknown, C> {
  const resolve = field.resolve ?? defaultFieldResolver;
  const cut = (list: unknown[] | null, first: First) => list && list.slice(0, lengthOf(bound, first));
  return {
    ...field,
    args: { ...field.args, first: { type: GraphQLInt, description: lengthText(bound) } },
    extensions: { ...field.extensions, complexity: costOf(bound) },
    resolve(source, args: { first?: First }, context, info) {
      const list = resolve(source, args, context, info) as unknown[] | null | Promise<unknown[] | null>;
      return list instanceof Promise ? list.then((loaded) => cut(loaded, args.first)) : cut(list, args.first);
    },
  };
}
