import { Field, InputType, Int } from "type-graphql";
import type {
  ArtistOrder as ArtistOrderWord,
  ArtistSearch as SearchAttributes,
} from "../../src/resources/artists/artist.search.js";
import type { NewArtist } from "../../src/resources/artists/artist.service.js";
import type { ArtistEdit } from "../../src/resources/artists/artist.state.js";
import { ArtistOrder } from "./artist.enums.js";

@InputType({ description: "Which artists to list." })
export class ArtistSearch implements SearchAttributes {
  @Field(() => [Int], { nullable: true, description: "Artists of these numbers." })
  id?: number[] | null;

  @Field(() => String, {
    nullable: true,
    description:
      "A URL of the artist, or one below it; `name:` and a pattern of the name; `other:` and one of the other names; " +
      "`group:` and a pattern of the group; `status:banned`; `status:active`; else the name or one of the other names.",
  })
  name?: string | null;

  @Field(() => String, { nullable: true, description: "Name, other name or group; `*` stands for anything." })
  anyNameMatches?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "A URL of the artist, or one below it; else a part of a URL; with `*` a pattern of the whole URL.",
  })
  urlMatches?: string | null;

  @Field(() => String, { nullable: true, description: "Pattern of the group; `*` stands for anything." })
  groupName?: string | null;

  @Field(() => String, { nullable: true, description: "Artists whose record the user of this name made." })
  creatorName?: string | null;

  @Field(() => [Int], { nullable: true, description: "Artists whose record these users made." })
  creatorId?: number[] | null;

  @Field(() => Boolean, { nullable: true, description: "Artists that are there, or that were deleted." })
  isActive?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Artists that were deleted, or that are there." })
  isDeleted?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Artists that are banned, or that are not." })
  isBanned?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Only artists without posts." })
  emptyOnly?: boolean | null;

  @Field(() => ArtistOrder, { nullable: true, description: "The order; newest first by default." })
  order?: ArtistOrderWord | null;
}

@InputType({ description: "What may be said of an artist." })
abstract class ArtistAttributesInput implements ArtistEdit {
  @Field(() => String, { nullable: true, description: "Other names, separated by commas." })
  otherNamesComma?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: "Other names, in which a blank separates two; heeded without `otherNamesComma`.",
  })
  otherNames?: string[] | null;

  @Field(() => String, { nullable: true, description: "Name of the group that the artist belongs to." })
  groupName?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "URLs, separated by blanks or line breaks, with `-` before those out of use.",
  })
  urlString?: string | null;

  @Field(() => Boolean, { nullable: true, description: "Heeded from Builder on." })
  isActive?: boolean | null;
}

@InputType({ description: "A new artist." })
export class CreateArtistInput extends ArtistAttributesInput implements NewArtist {
  @Field(() => String, { description: "The name; a tag of this name becomes the artist's." })
  name!: string;
}

@InputType({ description: "An edit of an artist. What is absent stays as it is." })
export class UpdateArtistInput extends ArtistAttributesInput {
  @Field(() => Int, { description: "Number of the artist." })
  id!: number;

  @Field(() => String, { nullable: true, description: "Another name; that of a banned artist only Admins change." })
  name?: string | null;
}

@InputType({ description: "Which artist to delete." })
export class DeleteArtistInput {
  @Field(() => Int, { description: "Number of the artist." })
  id!: number;
}

@InputType({ description: "Which artist to bring back." })
export class UndeleteArtistInput {
  @Field(() => Int, { description: "Number of the artist." })
  id!: number;
}

@InputType({ description: "Which artist to ban." })
export class BanArtistInput {
  @Field(() => Int, { description: "Number of the artist." })
  id!: number;
}

@InputType({ description: "Which artist's ban to take back." })
export class UnbanArtistInput {
  @Field(() => Int, { description: "Number of the artist." })
  id!: number;
}

@InputType({ description: "Which version an artist goes back to." })
export class RevertArtistInput {
  @Field(() => Int, { description: "Number of the artist." })
  id!: number;

  @Field(() => Int, { description: "Number of the version, which must be one of this artist." })
  versionId!: number;
}
