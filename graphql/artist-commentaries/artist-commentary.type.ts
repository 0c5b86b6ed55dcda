import { Field, InputType, Int, ObjectType } from "type-graphql";
import type {
  ArtistCommentarySearch as SearchAttributes,
  CommentaryEdit,
} from "../../src/resources/artist-commentaries/artist-commentary.service.js";
import { Post } from "../posts/post.type.js";
import { Connection } from "../shared/connection.js";

@ObjectType({ description: "What the viewer may do with a commentary." })
export class ArtistCommentaryAbilities {
  @Field(() => Boolean, { description: "Change its texts, and revert them." })
  update!: boolean;
}

@ObjectType({ description: "What the artist wrote about a picture, and a translation of it. One for each post." })
export class ArtistCommentary {
  @Field(() => Int, { description: "Number of the commentary." })
  id!: number;

  @Field(() => Int, { description: "Number of the post." })
  postId!: number;

  @Field(() => Post, { nullable: true, description: "The post." })
  post!: Post | null;

  @Field(() => String, { description: "The title in the artist's words; empty for none." })
  originalTitle!: string;

  @Field(() => String, { description: "The description in the artist's words; empty for none." })
  originalDescription!: string;

  @Field(() => String, { description: "The title in English; empty for none." })
  translatedTitle!: string;

  @Field(() => String, { description: "The description in English; empty for none." })
  translatedDescription!: string;

  @Field(() => Date, { description: "When it was written." })
  createdAt!: Date;

  @Field(() => Date, { description: "When it last changed." })
  updatedAt!: Date;

  @Field(() => ArtistCommentaryAbilities, { description: "What the viewer may do with it." })
  viewerCan!: ArtistCommentaryAbilities;
}

export const ArtistCommentaryConnection = Connection(ArtistCommentary, "ArtistCommentary");

@InputType({ description: "Which commentaries to list." })
export class ArtistCommentarySearch implements SearchAttributes {
  @Field(() => [Int], { nullable: true, description: "Commentaries of these numbers." })
  id?: number[] | null;

  @Field(() => [Int], { nullable: true, description: "Commentaries on these posts." })
  postId?: number[] | null;

  @Field(() => String, {
    nullable: true,
    description: "A part of one of the four texts, in any case; with `*` a pattern of a whole text.",
  })
  textMatches?: string | null;

  @Field(() => String, { nullable: true, description: "Commentaries on posts with these tags; no meta-tags." })
  postTagsMatch?: string | null;

  @Field(() => Boolean, { nullable: true, description: "Those with (or without) an original title or description." })
  originalPresent?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Those with (or without) a translated title or description." })
  translatedPresent?: boolean | null;
}

@InputType({
  description: "The commentary of a post. What is absent stays as it is, or empty where there is none yet.",
})
export class CreateOrUpdateArtistCommentaryInput implements CommentaryEdit {
  @Field(() => Int, { description: "Number of the post." })
  postId!: number;

  @Field(() => String, { nullable: true, description: "The title in the artist's words." })
  originalTitle?: string | null;

  @Field(() => String, { nullable: true, description: "The description in the artist's words." })
  originalDescription?: string | null;

  @Field(() => String, { nullable: true, description: "The title in English." })
  translatedTitle?: string | null;

  @Field(() => String, { nullable: true, description: "The description in English." })
  translatedDescription?: string | null;
}

@InputType({ description: "Which version the commentary of a post goes back to." })
export class RevertArtistCommentaryInput {
  @Field(() => Int, { description: "Number of the post, not of the commentary." })
  postId!: number;

  @Field(() => Int, { description: "Number of the version, which must be one of the post's commentary." })
  versionId!: number;
}

@ObjectType({ description: "The commentary after the edit." })
export class CreateOrUpdateArtistCommentaryPayload {
  @Field(() => ArtistCommentary, { description: "The commentary after the edit." })
  artistCommentary!: ArtistCommentary;
}

@ObjectType({ description: "The commentary after going back." })
export class RevertArtistCommentaryPayload {
  @Field(() => ArtistCommentary, { description: "The commentary after going back." })
  artistCommentary!: ArtistCommentary;
}
