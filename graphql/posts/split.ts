/**
 * Splits documents that return posts: the way to the posts, and the fields selected on each. The result of the latter stays the same
 * until the post changes, so that it can be cached.
 */
import { MapperKind, mapSchema } from "@graphql-tools/utils";
import {
  type DocumentNode,
  type FieldNode,
  getNamedType,
  getOperationAST,
  type GraphQLField,
  type GraphQLFieldConfigMap,
  GraphQLList,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  isLeafType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { Extensions } from "type-graphql";
import { BY_VIEWER } from "./by-viewer.js";
import type { ConnectionOf } from "../shared/connection.js";
import { type Fragments, fragmentsOf, responseName } from "../shared/selections.js";
import { type PostRef, STAMP, STAMPS } from "./finished-posts.js";

const stampField = {
  description: "The post as it came, unfinished.",
  type: new GraphQLScalarType({ name: "PostStamp" }),
  resolve: (post: unknown) => post,
};

/** The posts of a page in one value: an object for each would take as long as the rest of the document. */
const stampsField = {
  description: "The posts of the page as they came, unfinished.",
  type: new GraphQLScalarType({ name: "PostStamps" }),
  resolve: (page: unknown) => (page as ConnectionOf<PostRef>).nodes,
};

/** An unfinished post in a response: a `stamp`, or one of `stamps`. */
export const postOf = (value: unknown): PostRef => (isHolding(value) ? value[STAMP] : (value as PostRef));
const isHolding = (value: unknown): value is Record<typeof STAMP, PostRef> =>
  typeof value === "object" && value !== null && STAMP in value;

/** The schema with additional or replaced fields of these types. */
const withFields = (
  schema: GraphQLSchema,
  more: Partial<Record<"Post" | "PostConnection", GraphQLFieldConfigMap<unknown, unknown>>>,
): GraphQLSchema =>
  mapSchema(schema, {
    [MapperKind.OBJECT_TYPE]: (type) => {
      if (type.name !== "Post" && type.name !== "PostConnection") return type;
      const config = type.toConfig();
      return new GraphQLObjectType({ ...config, fields: { ...config.fields, ...more[type.name] } });
    },
  });

/** The schema with fields that return posts unfinished. */
export const withStamps = (schema: GraphQLSchema): GraphQLSchema =>
  withFields(schema, { Post: { [STAMP]: stampField }, PostConnection: { [STAMPS]: stampsField } });

/** The schema with placeholders for the fields that differ by viewer. @param placeOf the placeholder, by the name of the field */
export const withPlaces = (schema: GraphQLSchema, placeOf: (name: string) => string): GraphQLSchema => {
  const type = new GraphQLScalarType({ name: "Place" });
  const places = Object.keys(BY_VIEWER).map((name) => [name, { type, resolve: () => placeOf(name) }] as const);
  return withFields(schema, { Post: Object.fromEntries(places) });
};

/** Marks a computed field that is the same for all who may see the post's file. */
export const SameForAll = (): PropertyDecorator & MethodDecorator => Extensions({ isSameForAll: true });

/** Where a document returns posts with plain fields. */
export interface Place {
  /** of the posts in the response */
  path: readonly string[];
  /** selects the fields of each post; of a `postsSchema` */
  inner: DocumentNode;
  /** the length of the path to the nearest field that may be null: 0 if none may, so that the whole response is null without these posts */
  nullable: number;
  /** whether the tags of the page are selected beside */
  hasPageTags: boolean;
}

/** A split document: the outer part returns unfinished posts at each place. */
export interface SplitDocument {
  outer: DocumentNode;
  places: readonly Place[];
}

/**
 * Splits a document of one operation wherever it selects nothing but fields of posts that are the same for all who may see their files.
 * @param mayDiffer whether these may include the fields of `BY_VIEWER`
 * @returns null if there is no such place, or if types or directives decide what a fragment selects
 */
export function splitAtPosts(schema: GraphQLSchema, document: DocumentNode, mayDiffer = false): SplitDocument | null {
  const operation = getOperationAST(document);
  const type = schema.getQueryType();
  if (!type || operation?.operation !== OperationTypeNode.QUERY) return null;
  const splitter = new Splitter(schema, document, mayDiffer);
  const selectionSet = splitter.split(operation.selectionSet, type);
  const { places } = splitter;
  return selectionSet && places.length > 0 ? { outer: documentOf({ ...operation, selectionSet }), places } : null;
}

/** The same for a document whose only posts are those of its root field, or the nodes of that. */
export function splitAtRoot(
  schema: GraphQLSchema,
  document: DocumentNode,
): { outer: DocumentNode; inner: DocumentNode } | null {
  const { outer, places } = splitAtPosts(schema, document) ?? {};
  const [place, ...others] = places ?? [];
  const isRoot = place && (place.path.length === 1 || (place.path.length === 2 && place.path[1] === "nodes"));
  return outer && isRoot && others.length === 0 ? { outer, inner: place.inner } : null;
}

const documentOf = (definition: OperationDefinitionNode): DocumentNode => ({
  kind: Kind.DOCUMENT,
  definitions: [definition],
});
const fieldNamed = (name: string, selectionSet?: SelectionSetNode): FieldNode => ({
  kind: Kind.FIELD,
  name: { kind: Kind.NAME, value: name },
  ...(selectionSet ? { selectionSet } : {}),
});
const selecting = (selections: readonly SelectionNode[]): SelectionSetNode => ({
  kind: Kind.SELECTION_SET,
  selections,
});

class Splitter {
  readonly places: Place[] = [];
  private readonly fragments: Fragments;

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    private readonly mayDiffer: boolean,
  ) {
    this.fragments = fragmentsOf(document);
  }

  /**
   * The selections with fragments in place, and, given their path, stamps in place of plain selections on posts; null if that is not
   * possible.
   */
  split(
    selected: SelectionSetNode,
    type: GraphQLObjectType,
    path: readonly string[] | null = [],
    nullableAbove = 0,
  ): SelectionSetNode | null {
    const fields = this.fieldsOf(selected, type, new Map());
    if (!fields) return null;
    const hasPageTags =
      type.name === "PostConnection" && [...fields.values()].some(({ name }) => name.value === "tags");
    const selections: FieldNode[] = [];
    for (const [name, node] of fields) {
      if (!node.selectionSet) {
        selections.push(node);
        continue;
      }
      const whole = type.getFields()[node.name.value]?.type;
      const of = getNamedType(whole);
      if (!(of instanceof GraphQLObjectType)) return null;
      const below = path && [...path, name];
      const nullable = isNonNullType(whole) ? nullableAbove : (below?.length ?? 0);
      const place = below && { path: below, nullable, hasPageTags };
      const inPlace = place && of.name === "Post" ? this.placed(node.selectionSet, of, place) : null;
      if (inPlace && type.name === "PostConnection" && node.name.value === "nodes") {
        selections.push({
          ...node,
          ...fieldNamed(STAMPS),
          alias: { kind: Kind.NAME, value: name },
          selectionSet: undefined,
        });
        continue;
      }
      const selectionSet = inPlace ?? this.split(node.selectionSet, of, below, nullable);
      if (!selectionSet) return null;
      selections.push({ ...node, selectionSet });
    }
    return selecting(selections);
  }

  /** The stamps in place of a plain selection on posts; null for another one. */
  private placed(
    selected: SelectionSetNode,
    type: GraphQLObjectType,
    place: Omit<Place, "inner">,
  ): SelectionSetNode | null {
    const flat = this.split(selected, type, null);
    if (!flat) return null;
    const operation = OperationTypeNode.QUERY;
    const selectionSet = selecting([fieldNamed(GIVEN, flat)]);
    const inner = documentOf({ kind: Kind.OPERATION_DEFINITION, operation, selectionSet });
    if (!isPlain(this.schema, inner, this.mayDiffer)) return null;
    this.places.push({ ...place, inner });
    return selecting([fieldNamed(STAMP)]);
  }

  /** The fields by their names in the response, the selections of the same one together. */
  private fieldsOf(
    { selections }: SelectionSetNode,
    type: GraphQLObjectType,
    found: Map<string, FieldNode>,
  ): Map<string, FieldNode> | null {
    for (const each of selections) {
      if (each.kind === Kind.FIELD) {
        const name = responseName(each);
        const known = found.get(name);
        if (known && (isConditional(known) || isConditional(each))) return null;
        found.set(name, known ? merged(known, each) : each);
        continue;
      }
      const fragment = each.kind === Kind.FRAGMENT_SPREAD ? this.fragments.get(each.name.value) : each;
      const condition = fragment?.typeCondition?.name.value ?? type.name;
      if (!fragment || condition !== type.name || isConditional(each) || isConditional(fragment)) return null;
      if (!this.fieldsOf(fragment.selectionSet, type, found)) return null;
    }
    return found;
  }
}

const isConditional = ({ directives = [] }: { directives?: readonly unknown[] | undefined }): boolean =>
  directives.length > 0;

/** Two selections of the same field, which have the same arguments. */
const merged = (one: FieldNode, other: FieldNode): FieldNode => ({
  ...one,
  ...(one.selectionSet && other.selectionSet
    ? { selectionSet: selecting([...one.selectionSet.selections, ...other.selectionSet.selections]) }
    : {}),
});

const GIVEN = "posts";

/** The root value for a document of a `postsSchema`: its posts, each finished. */
export type GivenPosts<T> = Record<typeof GIVEN, readonly T[]>;

/** A schema whose only query returns the given posts: running a document once for each takes several times as long. */
export const postsSchema = (schema: GraphQLSchema): GraphQLSchema => {
  const type = new GraphQLList(schema.getType("Post") as GraphQLObjectType);
  return new GraphQLSchema({ query: new GraphQLObjectType({ name: "GivenPosts", fields: { [GIVEN]: { type } } }) });
};

/**
 * Whether all fields are values of the post itself, which are read without a resolver, computed fields that are the same for all, or
 * truncated lists; whatever the variables are.
 */
function isPlain(schema: GraphQLSchema, document: DocumentNode, mayDiffer: boolean): boolean {
  const info = new TypeInfo(postsSchema(schema));
  let isSo = true;
  const enter = () => {
    const field = info.getFieldDef();
    isSo &&= Boolean(field && (isOfPost(field) || (mayDiffer && field.name in BY_VIEWER)));
  };
  const refuse = () => void (isSo = false);
  visit(document, visitWithTypeInfo(info, { Field: enter, Variable: refuse }));
  return isSo;
}

const isOfPost = ({ name, type, resolve, extensions }: GraphQLField<unknown, unknown>): boolean =>
  resolve === undefined ||
  name === "__typename" ||
  "isSameForAll" in extensions ||
  ("bound" in extensions && isLeafType(getNamedType(type)));
