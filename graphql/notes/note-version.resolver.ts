import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from "type-graphql";
import type { NoteRecord } from "../../src/resources/notes/note.service.js";
import type { NoteVersionRecord } from "../../src/resources/notes/note.versions.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import type { GraphQLContext } from "../context.js";
import { Public } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { User } from "../users/user.type.js";
import { NoteVersion, NoteVersionConnection, NoteVersionSearch } from "./note-version.type.js";
import { Note } from "./note.type.js";

@Resolver(() => NoteVersion)
export class NoteVersionResolver {
  @Public()
  @Query(() => NoteVersionConnection, {
    description: "Lists versions of notes, newest first.",
    complexity: listComplexity,
  })
  async noteVersions(
    @Arg("search", () => NoteVersionSearch, { nullable: true, description: "Which versions to list." })
    search: NoteVersionSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board }: GraphQLContext,
  ): Promise<ConnectionOf<NoteVersionRecord>> {
    return toConnection(await board.noteVersions.search(search ?? {}, toPageRequest(list)));
  }

  @Public()
  @Query(() => NoteVersion, { nullable: true, description: "One version of a note." })
  noteVersion(
    @Arg("id", () => Int, { description: "Number of the version." }) id: number,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<NoteVersionRecord | null> {
    return loaders.noteVersion.load(id);
  }

  @FieldResolver(() => Note, { nullable: true, description: "The note as it is now." })
  note(@Root() version: NoteVersionRecord, @Ctx() { loaders }: GraphQLContext): Promise<NoteRecord | null> {
    return loaders.note.load(version.noteId);
  }

  @FieldResolver(() => User, { nullable: true, description: "Who made the edit." })
  updater(@Root() version: NoteVersionRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> {
    return loaders.user.load(version.updaterId);
  }
}
