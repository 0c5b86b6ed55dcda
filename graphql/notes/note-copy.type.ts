import { Field, InputType, Int, ObjectType } from "type-graphql";
import { Post } from "../posts/post.type.js";
import { Note } from "./note.type.js";

@InputType({ description: "From which post to which the notes are copied." })
export class CopyNotesInput {
  @Field(() => Int, { description: "Number of the post that has the notes." })
  id!: number;

  @Field(() => Int, { description: "Number of the post that they are copied to." })
  otherPostId!: number;
}

@ObjectType({ description: "The copies, and the post that has them now." })
export class CopyNotesPayload {
  @Field(() => Post, { description: "The post that they were copied to." })
  post!: Post;

  @Field(() => [Note], { description: "The new notes, in the order of those that they were copied from." })
  notes!: Note[];
}
