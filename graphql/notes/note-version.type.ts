import { Field, InputType, Int, ObjectType } from "type-graphql";
import type { NoteVersionSearch as SearchAttributes } from "../../src/resources/notes/note.versions.js";
import { Connection } from "../shared/connection.js";
import { User } from "../users/user.type.js";
import { Note } from "./note.type.js";

@ObjectType({ description: "A state that a note had." })
export class NoteVersion {
  @Field(() => Int, { description: "Number of the version; pass it to `revertNote`." })
  id!: number;

  @Field(() => Int, { description: "Number of the note." })
  noteId!: number;

  @Field(() => Note, { nullable: true, description: "The note as it is now." })
  note!: Note | null;

  @Field(() => Int, { description: "Number of the post." })
  postId!: number;

  @Field(() => Int, { description: "1 for the first state, then one more with each edit of the note." })
  version!: number;

  @Field(() => Int, { description: "Who made the edit." })
  updaterId!: number;

  @Field(() => String, { description: "Name of who made the edit." })
  updaterName!: string;

  @Field(() => User, { nullable: true, description: "Who made the edit." })
  updater!: User | null;

  @Field(() => Int, { description: "Left edge in pixels." })
  x!: number;

  @Field(() => Int, { description: "Top edge in pixels." })
  y!: number;

  @Field(() => Int, { description: "Width in pixels." })
  width!: number;

  @Field(() => Int, { description: "Height in pixels." })
  height!: number;

  @Field(() => String, { description: "The text." })
  body!: string;

  @Field(() => Boolean, { description: "False where the edit deleted it." })
  isActive!: boolean;

  @Field(() => Date, { description: "When the edit was made." })
  createdAt!: Date;

  @Field(() => Date, {
    description: "When the version last changed; later than `createdAt` only where edits are merged.",
  })
  updatedAt!: Date;
}

export const NoteVersionConnection = Connection(NoteVersion, "NoteVersion");

@InputType({ description: "Which versions of notes to list." })
export class NoteVersionSearch implements SearchAttributes {
  @Field(() => [Int], { nullable: true, description: "Versions of these numbers." })
  id?: number[] | null;

  @Field(() => [Int], { nullable: true, description: "Versions of these notes." })
  noteId?: number[] | null;

  @Field(() => [Int], { nullable: true, description: "Versions of notes on these posts." })
  postId?: number[] | null;

  @Field(() => [Int], { nullable: true, description: "Edits by these users." })
  updaterId?: number[] | null;

  @Field(() => String, { nullable: true, description: "Edits by the user of this name." })
  updaterName?: string | null;
}
