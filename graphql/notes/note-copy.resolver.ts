import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from "type-graphql";
import { Level } from "../../src/runtime/auth/levels.js";
import type { NoteCopy } from "../../src/resources/notes/note.copy.js";
import type { NoteRecord } from "../../src/resources/notes/note.service.js";
import type { GraphQLContext } from "../context.js";
import { RequireLevel } from "../shared/access.js";
import { costOf, First, lengthOf, RECORDS } from "../shared/bounded.js";
import { Limited } from "../shared/limited.js";
import { CopyNotesInput, CopyNotesPayload } from "./note-copy.type.js";
import { Note } from "./note.type.js";

@Resolver(() => CopyNotesPayload)
export class NoteCopyResolver {
  @RequireLevel(Level.Member)
  @Limited("recordEdit")
  @Mutation(() => CopyNotesPayload, {
    description: "Copies the notes of a post to another one, scaled to the size of its picture.",
  })
  copyNotes(
    @Arg("input", () => CopyNotesInput, { description: "The two posts." }) { id, otherPostId }: CopyNotesInput,
    @Ctx() context: GraphQLContext,
  ): Promise<NoteCopy> {
    return context.board.noteCopies.copy(context, id, otherPostId);
  }

  @FieldResolver(() => [Note], { complexity: costOf(RECORDS), description: "The new notes, in the order of those that they were copied from." })
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
