/** The schema: one line for each resolver class. `graphql/schema.graphql` is what it prints. */
import "reflect-metadata";
import type { GraphQLObjectType, GraphQLSchema } from "graphql";
import { buildSchemaSync, type NonEmptyArray } from "type-graphql";
import { NoteResolver } from "./notes/note.resolver.js";
import { NoteVersionResolver } from "./notes/note-version.resolver.js";
import { PostVersionResolver } from "./post-versions/post-version.resolver.js";
import { PostFields } from "./posts/post.fields.js";
import { PostResolver } from "./posts/post.resolver.js";
import { SessionResolver } from "./session/session.resolver.js";
import { authChecker } from "./shared/access.js";
import { TagResolver } from "./tags/tag.resolver.js";
import { UploadResolver } from "./uploads/upload.resolver.js";
import { UserResolver } from "./users/user.resolver.js";

const resolvers = [
  NoteResolver,
  NoteVersionResolver,
  PostResolver,
  PostFields,
  PostVersionResolver,
  SessionResolver,
  TagResolver,
  UploadResolver,
  UserResolver,
] as unknown as NonEmptyArray<() => void>;

/** Builds the schema. Inputs are validated by the services, which both doors share. */
export function buildGraphQLSchema(): GraphQLSchema {
  const schema = buildSchemaSync({ resolvers, authChecker, validate: false });
  describeRoot(schema.getQueryType(), "What can be read.");
  describeRoot(
    schema.getMutationType(),
    "What can be changed; several changes in one request happen one after the other.",
  );
  return schema;
}

/** type-graphql makes the two root types itself, and has no place for their descriptions. */
function describeRoot(type: GraphQLObjectType | null | undefined, description: string): void {
  if (type) type.description = description;
}
