import { Field, ObjectType } from "type-graphql";
import { Artist } from "./artist.type.js";

@ObjectType({ description: "The new artist." })
export class CreateArtistPayload {
  @Field(() => Artist, { description: "The new artist." })
  artist!: Artist;
}

@ObjectType({ description: "The artist after the edit." })
export class UpdateArtistPayload {
  @Field(() => Artist, { description: "The artist after the edit." })
  artist!: Artist;
}

@ObjectType({ description: "The artist, now deleted." })
export class DeleteArtistPayload {
  @Field(() => Artist, { description: "The artist, now deleted." })
  artist!: Artist;
}

@ObjectType({ description: "The artist, back again." })
export class UndeleteArtistPayload {
  @Field(() => Artist, { description: "The artist, back again." })
  artist!: Artist;
}

@ObjectType({ description: "The artist after going back." })
export class RevertArtistPayload {
  @Field(() => Artist, { description: "The artist after going back." })
  artist!: Artist;
}

@ObjectType({ description: "The artist, now banned." })
export class BanArtistPayload {
  @Field(() => Artist, { description: "The artist, now banned." })
  artist!: Artist;
}

@ObjectType({ description: "The artist, banned no more." })
export class UnbanArtistPayload {
  @Field(() => Artist, { description: "The artist, banned no more." })
  artist!: Artist;
}
