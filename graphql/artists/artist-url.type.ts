import { Field, InputType, Int, ObjectType } from "type-graphql";
import type { ArtistUrlSearch as SearchAttributes } from "../../src/resources/artists/artist-url.service.js";
import { Connection } from "../shared/connection.js";

@ObjectType({ description: "A place where an artist publishes." })
export class ArtistUrl {
  @Field(() => Int, { description: "Number of the URL; it stays while the URL stays." })
  id!: number;

  @Field(() => Int, { description: "Number of the artist." })
  artistId!: number;

  @Field(() => String, { description: "The URL as it was written." })
  url!: string;

  @Field(() => String, { description: "The URL as searches compare it: http, without mirrors, one slash at the end." })
  normalizedUrl!: string;

  @Field(() => Boolean, { description: "False where it is out of use." })
  isActive!: boolean;

  @Field(() => Date, { description: "When it was added." })
  createdAt!: Date;

  @Field(() => Date, { description: "When it last changed." })
  updatedAt!: Date;
}

export const ArtistUrlConnection = Connection(ArtistUrl, "ArtistUrl");

@InputType({ description: "Which URLs of artists to list." })
export class ArtistUrlSearch implements SearchAttributes {
  @Field(() => [Int], { nullable: true, description: "URLs of these numbers." })
  id?: number[] | null;

  @Field(() => [Int], { nullable: true, description: "URLs of these artists." })
  artistId?: number[] | null;

  @Field(() => String, { nullable: true, description: "This URL, in any case; with `*` a pattern of the whole URL." })
  urlMatches?: string | null;

  @Field(() => Boolean, { nullable: true, description: "URLs that are in use, or that are not." })
  isActive?: boolean | null;
}
