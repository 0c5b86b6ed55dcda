/**
 * Documents that ask for posts, in two: the way to the posts, and what is asked of each. What comes of the latter is the same for as long
 * as a post is as it was, so that it can be remembered.
 */
import { MapperKind, mapSchema } from "@graphql-tools/utils";
import {
  type DocumentNode,
  getNamedType,
  getOperationAST,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  isLeafType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { STAMP } from "./finished-posts.js";

const stampField = {
  description: "The post as it came, unfinished.",
  type: new GraphQLScalarType({ name: "PostStamp" }),
  resolve: (post: unknown) => post,
};

/** The schema, by which a document may ask for posts as they came. */
export const withStamps = (schema: GraphQLSchema): GraphQLSchema =>
  mapSchema(schema, {
    [MapperKind.OBJECT_TYPE]: (type) => {
      if (type.name !== "Post") return type;
      const config = type.toConfig();
      return new GraphQLObjectType({ ...config, fields: { ...config.fields, [STAMP]: stampField } });
    },
  });

/** A document in two: one leads to posts as they came, the other says what is asked of each. */
export interface SplitDocument {
  outer: DocumentNode;
  /** of a schema whose queries are the fields of a post */
  inner: DocumentNode;
  /** where the posts are in the answer */
  path: readonly string[];
}

/** How deep in a document posts may be: its root field, or the nodes of that. */
const DEEPEST = 2;

/**
 * Splits a document of one operation.
 * @returns null for one that asks of posts anything but fields that are the same for all who may see their files, or no posts
 */
export function splitAtPosts(schema: GraphQLSchema, document: DocumentNode): SplitDocument | null {
  const info = new TypeInfo(schema);
  const operation = getOperationAST(document);
  if (!operation) return null;
  const fragments = document.definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION);
  let asked: SelectionSetNode | undefined;
  let path: readonly string[] = [];
  let isAskedElsewhere = false;
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
    }),
  );
  if (operation.operation !== OperationTypeNode.QUERY || !asked || isAskedElsewhere || hasSpread(outer)) return null;
  const inner = { kind: Kind.OPERATION_DEFINITION as const, operation: OperationTypeNode.QUERY, selectionSet: asked };
  const split = {
    outer: { kind: Kind.DOCUMENT as const, definitions: [outer, ...fragments] },
    inner: { kind: Kind.DOCUMENT as const, definitions: [inner, ...fragments] },
    path,
  };
  return isPlain(schema, split.inner) ? split : null;
}

/** Whether anything is selected by a fragment, which may select more of the same posts. */
function hasSpread(operation: OperationDefinitionNode): boolean {
  let isSo = false;
  visit(operation, { FragmentSpread: () => void (isSo = true) });
  return isSo;
}

/** A schema whose queries are the fields of a post. */
export const postSchema = (schema: GraphQLSchema): GraphQLSchema =>
  new GraphQLSchema({ query: schema.getType("Post") as GraphQLObjectType });

/** Whether all fields are values of the post itself, which are read without a resolver, or lists that are cut; whatever the variables are. */
function isPlain(schema: GraphQLSchema, document: DocumentNode): boolean {
  const info = new TypeInfo(postSchema(schema));
  let isSo = true;
  const enter = () => {
    const field = info.getFieldDef();
    const isCut = field && "bound" in field.extensions && isLeafType(getNamedType(field.type));
    isSo &&= Boolean(field && (field.resolve === undefined || isCut || field.name === "__typename"));
  };
  const refuse = () => void (isSo = false);
  visit(document, visitWithTypeInfo(info, { Field: enter, Variable: refuse }));
  return isSo;
}
