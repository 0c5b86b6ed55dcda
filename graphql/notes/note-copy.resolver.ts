import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { NoteCopy } from "../../src/resources/notes/note.copy.js";
import type { NoteRecord } from "../../src/resources/notes/note.records.js";
import type { GraphQLContext } from "../context.js";
import { costOf, First, lengthOf, RECORDS } from "../shared/bounded.js";
import { CopyNotesInput, CopyNotesPayload } from "./note-copy.type.js";
import { Note } from "./note.type.js";
import { resolver, mutation } from "../shared/operations.js";

export const NoteCopyResolverOperations = resolver(CopyNotesPayload, {
  copyNotes: mutation({
    description: "Copies the notes of a post to another post, scaled to the size of its picture.",
    limited: "recordEdit",
    input: [CopyNotesInput, "The two posts."],
    payload: CopyNotesPayload,
    resolve: (context, { id, otherPostId }) => context.board.noteCopies.copy(context, id, otherPostId),
  }),
});

@Resolver(() => CopyNotesPayload)
export class NoteCopyResolver {
  @FieldResolver(() => [Note], {
    complexity: costOf(RECORDS),
    description: "The new notes, in the order of the originals.",
  })
  async notes(
    @Root() { noteIds }: NoteCopy,
    @First(RECORDS) first: number | null,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<NoteRecord[]> {
    const ids = noteIds.slice(0, lengthOf(RECORDS, first));
    const notes = await Promise.all(ids.map((id) => loaders.note.load(id)));
    return notes.filter((note) => note !== null);
  }
}
