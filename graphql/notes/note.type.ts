import { Field, InputType, Int, ObjectType } from "type-graphql";
import type { NewNote, NoteEdit, NoteSearch as SearchAttributes } from "../../src/resources/notes/note.service.js";
import { Post } from "../posts/post.type.js";
import { Connection } from "../shared/connection.js";
import { User } from "../users/user.type.js";

@ObjectType({ description: "What the viewer may do with a note." })
export class NoteAbilities {
  @Field(() => Boolean, { description: "Move it and change its text." })
  update!: boolean;

  @Field(() => Boolean, { description: "Take it away." })
  delete!: boolean;
}

@ObjectType({ description: "A translation or remark in a rectangle on a post's picture." })
export class Note {
  @Field(() => Int, { description: "Number of the note." })
  id!: number;

  @Field(() => Int, { description: "Number of the post." })
  postId!: number;

  @Field(() => Post, { nullable: true, description: "The post." })
  post!: Post | null;

  @Field(() => Int, { description: "Who made it." })
  creatorId!: number;

  @Field(() => String, { description: "Name of who made it." })
  creatorName!: string;

  @Field(() => User, { nullable: true, description: "Who made it." })
  creator!: User | null;

  @Field(() => Int, { description: "Left edge, in pixels of the original picture." })
  x!: number;

  @Field(() => Int, { description: "Top edge, in pixels of the original picture." })
  y!: number;

  @Field(() => Int, { description: "Width in pixels of the original picture." })
  width!: number;

  @Field(() => Int, { description: "Height in pixels of the original picture." })
  height!: number;

  @Field(() => String, { description: "The text as it was written; whoever shows it must sanitise it." })
  body!: string;

  @Field(() => Boolean, { description: "False after it was deleted." })
  isActive!: boolean;

  @Field(() => Int, { description: "Number of its latest version." })
  version!: number;

  @Field(() => Date, { description: "When it was made." })
  createdAt!: Date;

  @Field(() => Date, { description: "When it last changed." })
  updatedAt!: Date;

  @Field(() => NoteAbilities, { description: "What the viewer may do with it." })
  viewerCan!: NoteAbilities;
}

export const NoteConnection = Connection(Note, "Note");

@InputType({ description: "Which notes to list." })
export class NoteSearch implements SearchAttributes {
  @Field(() => [Int], { nullable: true, description: "Notes of these numbers." })
  id?: number[] | null;

  @Field(() => String, { nullable: true, description: "Words of the text; with `*` a pattern of the whole text." })
  bodyMatches?: string | null;

  @Field(() => [Int], { nullable: true, description: "Notes of these posts." })
  postId?: number[] | null;

  @Field(() => String, { nullable: true, description: "Notes of posts with these tags; no meta-tags." })
  postTagsMatch?: string | null;

  @Field(() => String, { nullable: true, description: "Notes made by the user of this name." })
  creatorName?: string | null;

  @Field(() => [Int], { nullable: true, description: "Notes made by these users." })
  creatorId?: number[] | null;

  @Field(() => Boolean, { nullable: true, description: "Notes that are there, or that were deleted." })
  isActive?: boolean | null;
}

@InputType({ description: "A new note." })
export class CreateNoteInput implements NewNote {
  @Field(() => Int, { description: "Number of the post." })
  postId!: number;

  @Field(() => Int, { description: "Left edge, in pixels of the original picture." })
  x!: number;

  @Field(() => Int, { description: "Top edge, in pixels of the original picture." })
  y!: number;

  @Field(() => Int, { description: "Width in pixels." })
  width!: number;

  @Field(() => Int, { description: "Height in pixels." })
  height!: number;

  @Field(() => String, { description: "The text." })
  body!: string;
}

@InputType({ description: "An edit of a note. What is absent stays as it is." })
export class UpdateNoteInput implements NoteEdit {
  @Field(() => Int, { description: "Number of the note." })
  id!: number;

  @Field(() => Int, { nullable: true, description: "Left edge, in pixels of the original picture." })
  x?: number | null;

  @Field(() => Int, { nullable: true, description: "Top edge, in pixels of the original picture." })
  y?: number | null;

  @Field(() => Int, { nullable: true, description: "Width in pixels." })
  width?: number | null;

  @Field(() => Int, { nullable: true, description: "Height in pixels." })
  height?: number | null;

  @Field(() => String, { nullable: true, description: "The text." })
  body?: string | null;
}

@InputType({ description: "Which note to delete." })
export class DeleteNoteInput {
  @Field(() => Int, { description: "Number of the note." })
  id!: number;
}

@InputType({ description: "Which version a note goes back to." })
export class RevertNoteInput {
  @Field(() => Int, { description: "Number of the note." })
  id!: number;

  @Field(() => Int, { description: "Number of the version, which must be one of this note." })
  versionId!: number;
}

@ObjectType({ description: "The new note." })
export class CreateNotePayload {
  @Field(() => Note, { description: "The new note." })
  note!: Note;
}

@ObjectType({ description: "The note after the edit." })
export class UpdateNotePayload {
  @Field(() => Note, { description: "The note after the edit." })
  note!: Note;
}

@ObjectType({ description: "The note, now deleted." })
export class DeleteNotePayload {
  @Field(() => Note, { description: "The note, now deleted." })
  note!: Note;
}

@ObjectType({ description: "The note after going back." })
export class RevertNotePayload {
  @Field(() => Note, { description: "The note after going back." })
  note!: Note;
}
