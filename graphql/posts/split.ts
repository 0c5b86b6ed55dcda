/**
 * Splits documents that return posts in two: the path to the posts, and the fields selected on each. The result of the latter stays the same
 * until the post changes, so that it can be cached.
 */
import { MapperKind, mapSchema } from "@graphql-tools/utils";
import {
  type DocumentNode,
  getNamedType,
  getOperationAST,
  type GraphQLField,
  type GraphQLFieldConfigMap,
  GraphQLList,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  isLeafType,
  Kind,
  OperationTypeNode,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { Extensions } from "type-graphql";
import { BY_VIEWER } from "./by-viewer.js";
import { STAMP } from "./finished-posts.js";

const stampField = {
  description: "The post as it came, unfinished.",
  type: new GraphQLScalarType({ name: "PostStamp" }),
  resolve: (post: unknown) => post,
};

/** The schema with additional or replaced fields of a post. */
const withFields = (schema: GraphQLSchema, more: GraphQLFieldConfigMap<unknown, unknown>): GraphQLSchema =>
  mapSchema(schema, {
    [MapperKind.OBJECT_TYPE]: (type) => {
      if (type.name !== "Post") return type;
      const config = type.toConfig();
      return new GraphQLObjectType({ ...config, fields: { ...config.fields, ...more } });
    },
  });

/** The schema with a field that returns posts unfinished. */
export const withStamps = (schema: GraphQLSchema): GraphQLSchema => withFields(schema, { [STAMP]: stampField });

/** The schema with placeholders for the fields that differ by viewer. @param placeOf the placeholder, by the name of the field */
export const withPlaces = (schema: GraphQLSchema, placeOf: (name: string) => string): GraphQLSchema => {
  const type = new GraphQLScalarType({ name: "Place" });
  const places = Object.keys(BY_VIEWER).map((name) => [name, { type, resolve: () => placeOf(name) }] as const);
  return withFields(schema, Object.fromEntries(places));
};

/** Marks a computed field that is the same for all who may see the post's file. */
export const SameForAll = (): PropertyDecorator & MethodDecorator => Extensions({ isSameForAll: true });

/** A split document: one part returns unfinished posts, the other selects the fields of each. */
export interface SplitDocument {
  outer: DocumentNode;
  /** of a `postsSchema` */
  inner: DocumentNode;
  /** path of the posts in the response */
  path: readonly string[];
}

/** How deep in a document posts may be: its root field, or the nodes of that. */
const DEEPEST = 2;

/**
 * Splits a document of one operation.
 * @param mayDiffer whether it may select the fields of `BY_VIEWER`, too
 * @returns null if it selects other fields of posts than those that are the same for all who may see their files, or no posts
 */
export function splitAtPosts(schema: GraphQLSchema, document: DocumentNode, mayDiffer = false): SplitDocument | null {
  const info = new TypeInfo(schema);
  const operation = getOperationAST(document);
  if (!operation) return null;
  const fragments = document.definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION);
  let asked: SelectionSetNode | undefined;
  let path: readonly string[] = [];
  let isAskedElsewhere = false;
  let hasSpread = false;
  const within: string[] = [];
  const outer = visit(
    operation,
    visitWithTypeInfo(info, {
      Field: {
        enter(field) {
          within.push((field.alias ?? field.name).value);
          const type = info.getType();
          if (!type || getNamedType(type).name !== "Post") return undefined;
          isAskedElsewhere ||= asked !== undefined || within.length > DEEPEST;
          asked = field.selectionSet;
          path = [...within];
          const selections = [{ kind: Kind.FIELD as const, name: { kind: Kind.NAME as const, value: STAMP } }];
          return { ...field, selectionSet: { kind: Kind.SELECTION_SET as const, selections } };
        },
        leave() {
          within.pop();
        },
      },
      // also in fragments on the root or the root field, which may select more of the same posts
      FragmentSpread: () => void (hasSpread ||= within.length < DEEPEST),
    }),
  );
  if (operation.operation !== OperationTypeNode.QUERY || !asked || isAskedElsewhere || hasSpread) return null;
  const inner = {
    kind: Kind.OPERATION_DEFINITION as const,
    operation: OperationTypeNode.QUERY,
    selectionSet: {
      kind: Kind.SELECTION_SET as const,
      selections: [
        { kind: Kind.FIELD as const, name: { kind: Kind.NAME as const, value: GIVEN }, selectionSet: asked },
      ],
    },
  };
  const split = {
    outer: { kind: Kind.DOCUMENT as const, definitions: [outer, ...fragments] },
    inner: { kind: Kind.DOCUMENT as const, definitions: [inner, ...fragments] },
    path,
  };
  return isPlain(schema, split.inner, mayDiffer) ? split : null;
}

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
