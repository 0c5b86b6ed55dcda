/** The history of a note, and the notes of a post. */
import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { NoteRecord } from "../../src/resources/notes/note.service.js";
import type { NoteVersionRecord } from "../../src/resources/notes/note.versions.js";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import type { GraphQLContext } from "../context.js";
import { Post } from "../posts/post.type.js";
import { costOf, First, RECORDS, wanted } from "../shared/bounded.js";
import { NoteVersion } from "./note-version.type.js";
import { Note } from "./note.type.js";

@Resolver(() => Note)
export class NoteFields {
  @FieldResolver(() => [NoteVersion], {
    description: "Its newest versions, newest first.",
    complexity: costOf(RECORDS),
  })
  versions(
    @Root() note: NoteRecord,
    @First(RECORDS) first: number | null,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<NoteVersionRecord[]> {
    return loaders.noteVersions.load(wanted(RECORDS, note, first));
  }
}

@Resolver(() => Post)
export class PostNotes {
  @FieldResolver(() => [Note], {
    description: "The newest notes on it, newest first, without deleted ones.",
    complexity: costOf(RECORDS),
  })
  notes(
    @Root() post: PostRecord,
    @First(RECORDS) first: number | null,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<NoteRecord[]> {
    return loaders.postNotes.load(wanted(RECORDS, post, first));
  }
}
