import { Field, Int, ObjectType } from "type-graphql";
import { Connection } from "../shared/connection.js";
import { TagCategory } from "../shared/enums.js";
import { User } from "../users/user.type.js";

@ObjectType({ description: "What the viewer may do with a wiki page." })
export class WikiPageAbilities {
  @Field(() => Boolean, { description: "Edit and revert it." })
  update!: boolean;

  @Field(() => Boolean, { description: "Lock it, so that only Builders edit it." })
  lock!: boolean;

  @Field(() => Boolean, { description: "Delete it and bring it back." })
  delete!: boolean;
}

@ObjectType({ description: "A page that says what a tag means, or how the board is used." })
export class WikiPage {
  @Field(() => Int, { description: "Number of the page." })
  id!: number;

  @Field(() => String, { description: "Its title: the name of the tag that it describes, where there is one." })
  title!: string;

  @Field(() => String, { description: "The text as it was written; whoever shows it must sanitise it." })
  body!: string;

  @Field(() => [String], { description: "What else the same thing is called, in other languages above all." })
  otherNames!: string[];

  @Field(() => TagCategory, { description: "Category of the tag of this name; general where there is none." })
  category!: number;

  @Field(() => Int, { description: "Who made it." })
  creatorId!: number;

  @Field(() => String, { description: "Name of who made it." })
  creatorName!: string;

  @Field(() => User, { nullable: true, description: "Who made it." })
  creator!: User | null;

  @Field(() => Int, { description: "Who made the last edit." })
  updaterId!: number;

  @Field(() => String, { description: "Name of who made the last edit." })
  updaterName!: string;

  @Field(() => User, { nullable: true, description: "Who made the last edit." })
  updater!: User | null;

  @Field(() => Boolean, { description: "True for pages that only Builders edit." })
  isLocked!: boolean;

  @Field(() => Boolean, { description: "True after it was deleted." })
  isDeleted!: boolean;

  @Field(() => Date, { description: "When it was made." })
  createdAt!: Date;

  @Field(() => Date, { description: "When it last changed." })
  updatedAt!: Date;

  @Field(() => WikiPageAbilities, { description: "What the viewer may do with it." })
  viewerCan!: WikiPageAbilities;
}

export const WikiPageConnection = Connection(WikiPage, "WikiPage");

@ObjectType({ description: "The new page." })
export class CreateWikiPagePayload {
  @Field(() => WikiPage, { description: "The new page." })
  wikiPage!: WikiPage;
}

@ObjectType({ description: "The page after the edit." })
export class UpdateWikiPagePayload {
  @Field(() => WikiPage, { description: "The page after the edit." })
  wikiPage!: WikiPage;
}

@ObjectType({ description: "The page, now deleted." })
export class DeleteWikiPagePayload {
  @Field(() => WikiPage, { description: "The page, now deleted." })
  wikiPage!: WikiPage;
}

@ObjectType({ description: "The page after going back." })
export class RevertWikiPagePayload {
  @Field(() => WikiPage, { description: "The page after going back." })
  wikiPage!: WikiPage;
}
