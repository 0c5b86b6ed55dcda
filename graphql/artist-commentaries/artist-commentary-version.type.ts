import { Field, InputType, Int, ObjectType } from "type-graphql";
import type { ArtistCommentaryVersionSearch as SearchAttributes } from "../../src/resources/artist-commentaries/artist-commentary.versions.js";
import { Post } from "../posts/post.type.js";
import { Connection } from "../shared/connection.js";
import { User } from "../users/user.type.js";

@ObjectType({ description: "A state that an artist's commentary had." })
export class ArtistCommentaryVersion {
  @Field(() => Int, { description: "Number of the version; pass it to `revertArtistCommentary`." })
  id!: number;

  @Field(() => Int, { description: "Number of the commentary." })
  artistCommentaryId!: number;

  @Field(() => Int, { description: "Number of the post." })
  postId!: number;

  @Field(() => Post, { nullable: true, description: "The post." })
  post!: Post | null;

  @Field(() => Int, { description: "1 for the first state, then one more with each edit of the commentary." })
  version!: number;

  @Field(() => Int, { description: "Who made the edit." })
  updaterId!: number;

  @Field(() => String, { description: "Name of who made the edit." })
  updaterName!: string;

  @Field(() => User, { nullable: true, description: "Who made the edit." })
  updater!: User | null;

  @Field(() => String, { description: "The title in the artist's words." })
  originalTitle!: string;

  @Field(() => String, { description: "The description in the artist's words." })
  originalDescription!: string;

  @Field(() => String, { description: "The title in English." })
  translatedTitle!: string;

  @Field(() => String, { description: "The description in English." })
  translatedDescription!: string;

  @Field(() => Date, { description: "When the edit was made." })
  createdAt!: Date;

  @Field(() => Date, {
    description: "When the version last changed; later than `createdAt` only where edits are merged.",
  })
  updatedAt!: Date;
}

export const ArtistCommentaryVersionConnection = Connection(ArtistCommentaryVersion, "ArtistCommentaryVersion");

@InputType({ description: "Which versions of artists' commentaries to list." })
export class ArtistCommentaryVersionSearch implements SearchAttributes {
  @Field(() => [Int], { nullable: true, description: "Versions of these numbers." })
  id?: number[] | null;

  @Field(() => [Int], { nullable: true, description: "Versions of the commentaries on these posts." })
  postId?: number[] | null;

  @Field(() => [Int], { nullable: true, description: "Edits by these users." })
  updaterId?: number[] | null;

  @Field(() => String, { nullable: true, description: "Edits by the user of this name." })
  updaterName?: string | null;
}
