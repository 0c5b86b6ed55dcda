import { Field, Int, ObjectType } from "type-graphql";
import { Connection } from "../shared/connection.js";
import { Tag } from "../tags/tag.type.js";
import { User } from "../users/user.type.js";
import { ArtistUrl } from "./artist-url.type.js";

@ObjectType({ description: "What the viewer may do with an artist." })
export class ArtistAbilities {
  @Field(() => Boolean, { description: "Change what is known, and revert it." })
  update!: boolean;

  @Field(() => Boolean, { description: "Give another name." })
  rename!: boolean;

  @Field(() => Boolean, { description: "Take it away and bring it back." })
  delete!: boolean;

  @Field(() => Boolean, { description: "Ban it, and take a ban back." })
  ban!: boolean;
}

@ObjectType({ description: "Who makes pictures: names, and where they are published." })
export class Artist {
  @Field(() => Int, { description: "Number of the artist." })
  id!: number;

  @Field(() => String, { description: "The name: that of the artist's tag." })
  name!: string;

  @Field(() => Tag, { nullable: true, description: "The artist's tag." })
  tag!: Tag | null;

  @Field(() => Int, { description: "Who made the record." })
  creatorId!: number;

  @Field(() => String, { description: "Name of who made the record." })
  creatorName!: string;

  @Field(() => User, { nullable: true, description: "Who made the record." })
  creator!: User | null;

  @Field(() => [String], { description: "Other names, with underscores for blanks." })
  otherNames!: string[];

  @Field(() => String, { description: "The other names, separated by commas, as `updateArtist` takes them." })
  otherNamesComma!: string;

  @Field(() => String, { description: "Name of the group that the artist belongs to; empty for none." })
  groupName!: string;

  @Field(() => [ArtistUrl], { description: "Where the artist publishes, oldest entry first." })
  urls!: ArtistUrl[];

  @Field(() => String, {
    description: "The URLs, one a line, with `-` before those out of use, as `updateArtist` takes them.",
  })
  urlString!: string;

  @Field(() => Boolean, { description: "False after it was deleted." })
  isActive!: boolean;

  @Field(() => Boolean, { description: "Whether it is deleted." })
  isDeleted!: boolean;

  @Field(() => Boolean, { description: "Whether it is banned, with all posts." })
  isBanned!: boolean;

  @Field(() => Date, { description: "When the record was made." })
  createdAt!: Date;

  @Field(() => Date, { description: "When it last changed." })
  updatedAt!: Date;

  @Field(() => ArtistAbilities, { description: "What the viewer may do with it." })
  viewerCan!: ArtistAbilities;
}

export const ArtistConnection = Connection(Artist, "Artist");
