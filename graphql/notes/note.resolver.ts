import { Arg, Args, Ctx, Query, Resolver } from "type-graphql";
import { mayDelete, mayUpdate } from "../../src/resources/notes/note.policy.js";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import type { GraphQLContext } from "../context.js";
import { Post } from "../posts/post.type.js";
import { Public } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest, Connection } from "../shared/connection.js";
import { User } from "../users/user.type.js";
import { CreateNoteInput, DeleteNoteInput, Note, NoteSearch, RevertNoteInput, UpdateNoteInput } from "./note.type.js";
import { resolver, one, mutation, relation, abilities , list } from "../shared/operations.js";
import { anybody, member } from "../../src/resources/shared/policy.js";

export const NoteOperations = resolver(Note, {
notes: list({ of: Note, description: "Lists notes, newest first.", allow: anybody, search: [NoteSearch, "Which notes to list."], find: ({ board }, search, page) => board.notes.search(search, page) }),

note: one({ of: Note, description: "One note.", id: "Number of the note.", allow: anybody }),

createNote: mutation({ description: "Puts a note on a post.", allow: member, limited: "recordEdit", input: [CreateNoteInput, "The note."], payload: [Note, "The new note."], resolve: (context, input) => context.board.notes.create(context, input) }),

updateNote: mutation({ description: "Edits a note.", allow: member, limited: "recordEdit", input: [UpdateNoteInput, "The edit."], payload: [Note, "The note after the edit."], resolve: (context, { id, ...edit }) => context.board.notes.update(context, id, edit) }),

deleteNote: mutation({ description: "Takes a note away; its history stays.", allow: member, limited: "recordEdit", input: [DeleteNoteInput, "The note."], payload: [Note, "The note, now deleted."], resolve: (context, { id }) => context.board.notes.delete(context, id) }),

revertNote: mutation({ description: "Puts a note back to an earlier version.", allow: member, limited: "recordEdit", input: [RevertNoteInput, "Note and version."], payload: [Note, "The note after going back."], resolve: (context, { id, versionId }) => context.board.notes.revert(context, id, versionId) }),

post: relation(() => Post, "The post."),

creator: relation(() => User, "Who made it."),

viewerCan: abilities("a note", {
update: [mayUpdate, "Move it and change its text."],
delete: [mayDelete, "Take it away."],
}),
});

@Resolver(() => Note)
export class NoteResolver {

  @Public()
  @Query(() => Connection(Post), {
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
}
