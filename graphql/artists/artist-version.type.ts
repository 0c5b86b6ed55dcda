import { Field, InputType, Int, ObjectType } from "type-graphql";
import { Bounded, URL_TEXTS } from "../shared/bounded.js";
import type {
  ArtistVersionOrder as OrderWord,
  ArtistVersionSearch as SearchAttributes,
} from "../../src/resources/artists/artist.versions.js";
import { Connection } from "../shared/connection.js";
import { User } from "../users/user.type.js";
import { ArtistVersionOrder } from "./artist.enums.js";
import { Artist } from "./artist.type.js";

@ObjectType({ description: "A state that an artist had." })
export class ArtistVersion {
  @Field(() => Int, { description: "Number of the version; pass it to `revertArtist`." })
  id!: number;

  @Field(() => Int, { description: "Number of the artist." })
  artistId!: number;

  @Field(() => Artist, { nullable: true, description: "The artist as it is now." })
  artist!: Artist | null;

  @Field(() => Int, { description: "1 for the first state, then one more with each edit of the artist." })
  version!: number;

  @Field(() => Int, { description: "Who made the edit." })
  updaterId!: number;

  @Field(() => String, { description: "Name of who made the edit." })
  updaterName!: string;

  @Field(() => User, { nullable: true, description: "Who made the edit." })
  updater!: User | null;

  @Field(() => String, { description: "The name." })
  name!: string;

  @Field(() => [String], { description: "Other names." })
  otherNames!: string[];

  @Field(() => String, { description: "Name of the group; empty for none." })
  groupName!: string;

  @Bounded(URL_TEXTS)
  @Field(() => [String], { description: "URLs, with `-` before those out of use." })
  urls!: string[];

  @Field(() => String, { description: "The URLs, one a line." })
  urlString!: string;

  @Field(() => Boolean, { description: "False where the artist was deleted." })
  isActive!: boolean;

  @Field(() => Boolean, { description: "Whether the artist was deleted." })
  isDeleted!: boolean;

  @Field(() => Boolean, { description: "Whether the artist was banned." })
  isBanned!: boolean;

  @Field(() => Date, { description: "When the edit was made." })
  createdAt!: Date;

  @Field(() => Date, {
    description: "When the version last changed; later than `createdAt` only where edits are merged.",
  })
  updatedAt!: Date;
}

export const ArtistVersionConnection = Connection(ArtistVersion, "ArtistVersion");

@InputType({ description: "Which versions of artists to list." })
export class ArtistVersionSearch implements SearchAttributes {
  @Field(() => [Int], { nullable: true, description: "Versions of these numbers." })
  id?: number[] | null;

  @Field(() => [Int], { nullable: true, description: "Versions of these artists." })
  artistId?: number[] | null;

  @Field(() => String, { nullable: true, description: "Pattern of the name; `*` stands for anything." })
  name?: string | null;

  @Field(() => [Int], { nullable: true, description: "Edits by these users." })
  updaterId?: number[] | null;

  @Field(() => String, { nullable: true, description: "Edits by the user of this name." })
  updaterName?: string | null;

  @Field(() => Boolean, { nullable: true, description: "Versions in which the artist was there, or deleted." })
  isActive?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Versions in which the artist was banned, or not." })
  isBanned?: boolean | null;

  @Field(() => ArtistVersionOrder, { nullable: true, description: "The order; newest first by default." })
  order?: OrderWord | null;
}
