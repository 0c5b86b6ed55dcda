import { int, string, boolean, date, strings, objectType } from "../shared/fields.js";

export const Artist = objectType("Artist", "Who makes pictures: names, and where they are published.", {
  id: int("Number of the artist."),
  name: string("The name: that of the artist's tag."),
  creatorId: int("Who made the record."),
  creatorName: string("Name of who made the record."),
  otherNames: strings("Other names, with underscores for blanks."),
  groupName: string("Name of the group that the artist belongs to; empty for none."),
  isActive: boolean("False after it was deleted."),
  isBanned: boolean("Whether it is banned, with all posts."),
  createdAt: date("When the record was made."),
  updatedAt: date("When it last changed."),
});
