import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from "type-graphql";
import { Level } from "../../src/auth/levels.js";
import type { NoteCopy } from "../../src/services/note.copy.js";
import type { NoteRecord } from "../../src/services/note.service.js";
import type { GraphQLContext } from "../context.js";
import { RequireLevel } from "../shared/access.js";
import { CopyNotesInput, CopyNotesPayload } from "./note-copy.type.js";
import { Note } from "./note.type.js";

/** What a list of copies costs, in notes. */
const COPIES = 20;

@Resolver(() => CopyNotesPayload)
export class NoteCopyResolver {
  @RequireLevel(Level.Member)
  @Mutation(() => CopyNotesPayload, {
    description: "Copies the notes of a post to another one, scaled to the size of its picture.",
  })
  copyNotes(
    @Arg("input", () => CopyNotesInput, { description: "The two posts." }) { id, otherPostId }: CopyNotesInput,
    @Ctx() context: GraphQLContext,
  ): Promise<NoteCopy> {
    return context.board.noteCopies.copy(context, id, otherPostId);
  }

  @FieldResolver(() => [Note], { complexity: ({ childComplexity }) => COPIES * childComplexity })
  async notes(@Root() { noteIds }: NoteCopy, @Ctx() { loaders }: GraphQLContext): Promise<NoteRecord[]> {
    const notes = await Promise.all(noteIds.map((id) => loaders.note.load(id)));
    return notes.filter((note) => note !== null);
  }
}
