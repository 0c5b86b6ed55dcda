/** The schema: one line for each resolver class. `graphql/schema.graphql` is what it prints. */
import "reflect-metadata";
import type { GraphQLSchema } from "graphql";
import { buildSchemaSync, type NonEmptyArray } from "type-graphql";
import { PostVersionResolver } from "./post-versions/post-version.resolver.js";
import { PostFields } from "./posts/post.fields.js";
import { PostResolver } from "./posts/post.resolver.js";
import { SessionResolver } from "./session/session.resolver.js";
import { authChecker } from "./shared/access.js";
import { TagResolver } from "./tags/tag.resolver.js";
import { UploadResolver } from "./uploads/upload.resolver.js";
import { UserResolver } from "./users/user.resolver.js";

const resolvers = [
  PostResolver,
  PostFields,
  PostVersionResolver,
  SessionResolver,
  TagResolver,
  UploadResolver,
  UserResolver,
] as unknown as NonEmptyArray<() => void>;

/** Builds the schema. Inputs are validated by the services, which both doors share. */
export const buildGraphQLSchema = (): GraphQLSchema => buildSchemaSync({ resolvers, authChecker, validate: false });
