import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import { Level } from "../../src/runtime/auth/levels.js";
import { mayDelete, mayUpdate } from "../../src/resources/notes/note.policy.js";
import type { NoteRecord } from "../../src/resources/notes/note.service.js";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import type { GraphQLContext } from "../context.js";
import { Post, PostConnection } from "../posts/post.type.js";
import { Public, RequireLevel } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { Limited } from "../shared/limited.js";
import { User } from "../users/user.type.js";
import {
  CreateNoteInput,
  CreateNotePayload,
  DeleteNoteInput,
  DeleteNotePayload,
  Note,
  NoteAbilities,
  NoteConnection,
  NoteSearch,
  RevertNoteInput,
  RevertNotePayload,
  UpdateNoteInput,
  UpdateNotePayload,
} from "./note.type.js";

@Resolver(() => Note)
export class NoteResolver {
  @Public()
  @Query(() => NoteConnection, { description: "Lists notes, newest first.", complexity: listComplexity })
  async notes(
    @Arg("search", () => NoteSearch, { nullable: true, description: "Which notes to list." }) search: NoteSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board }: GraphQLContext,
  ): Promise<ConnectionOf<NoteRecord>> {
    return toConnection(await board.notes.search(search ?? {}, toPageRequest(list)));
  }

  @Public()
  @Query(() => PostConnection, {
    description: "Lists the posts that have notes, the one whose notes changed last first.",
    complexity: listComplexity,
  })
  async notedPosts(
    @Arg("search", () => NoteSearch, { nullable: true, description: "Notes, of which a post must have one." })
    search: NoteSearch | null,
    @Arg("tags", () => String, { nullable: true, description: "Tags of the posts; no meta-tags." }) tags: string | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board }: GraphQLContext,
  ): Promise<ConnectionOf<PostRecord>> {
    return toConnection(await board.notes.searchPosts(search ?? {}, tags, toPageRequest(list)));
  }

  @Public()
  @Query(() => Note, { nullable: true, description: "One note." })
  note(
    @Arg("id", () => Int, { description: "Number of the note." }) id: number,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<NoteRecord | null> {
    return loaders.note.load(id);
  }

  @RequireLevel(Level.Member)
  @Limited("recordEdit")
  @Mutation(() => CreateNotePayload, { description: "Puts a note on a post." })
  async createNote(
    @Arg("input", () => CreateNoteInput, { description: "The note." }) input: CreateNoteInput,
    @Ctx() context: GraphQLContext,
  ): Promise<{ note: NoteRecord }> {
    return { note: await context.board.notes.create(context, input) };
  }

  @RequireLevel(Level.Member)
  @Limited("recordEdit")
  @Mutation(() => UpdateNotePayload, { description: "Edits a note." })
  async updateNote(
    @Arg("input", () => UpdateNoteInput, { description: "The edit." }) { id, ...edit }: UpdateNoteInput,
    @Ctx() context: GraphQLContext,
  ): Promise<{ note: NoteRecord }> {
    return { note: await context.board.notes.update(context, id, edit) };
  }

  @RequireLevel(Level.Member)
  @Limited("recordEdit")
  @Mutation(() => DeleteNotePayload, { description: "Takes a note away; its history stays." })
  async deleteNote(
    @Arg("input", () => DeleteNoteInput, { description: "The note." }) { id }: DeleteNoteInput,
    @Ctx() context: GraphQLContext,
  ): Promise<{ note: NoteRecord }> {
    return { note: await context.board.notes.delete(context, id) };
  }

  @RequireLevel(Level.Member)
  @Limited("recordEdit")
  @Mutation(() => RevertNotePayload, { description: "Puts a note back to an earlier version." })
  async revertNote(
    @Arg("input", () => RevertNoteInput, { description: "Note and version." }) { id, versionId }: RevertNoteInput,
    @Ctx() context: GraphQLContext,
  ): Promise<{ note: NoteRecord }> {
    return { note: await context.board.notes.revert(context, id, versionId) };
  }

  @FieldResolver(() => Post, { nullable: true, description: "The post." })
  post(@Root() note: NoteRecord, @Ctx() { loaders }: GraphQLContext): Promise<PostRecord | null> {
    return loaders.post.load(note.postId);
  }

  @FieldResolver(() => User, { nullable: true, description: "Who made it." })
  creator(@Root() note: NoteRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> {
    return loaders.user.load(note.creatorId);
  }

  @FieldResolver(() => NoteAbilities, { description: "What the viewer may do with it." })
  viewerCan(@Root() note: NoteRecord, @Ctx() { viewer }: GraphQLContext): NoteAbilities {
    return { update: mayUpdate(viewer, note), delete: mayDelete(viewer, note) };
  }
}
