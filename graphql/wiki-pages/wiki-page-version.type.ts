import { Field, InputType, Int, ObjectType } from "type-graphql";
import type { WikiPageVersionSearch as SearchAttributes } from "../../src/resources/wiki-pages/wiki-page.versions.js";
import { Connection } from "../shared/connection.js";
import { User } from "../users/user.type.js";
import { WikiPage } from "./wiki-page.type.js";

@ObjectType({ description: "A state that a wiki page had." })
export class WikiPageVersion {
  @Field(() => Int, { description: "Number of the version; pass it to `revertWikiPage`." })
  id!: number;

  @Field(() => Int, { description: "Number of the page." })
  wikiPageId!: number;

  @Field(() => WikiPage, { nullable: true, description: "The page as it is now." })
  wikiPage!: WikiPage | null;

  @Field(() => Int, { description: "1 for the first state, then one more with each edit of the page." })
  version!: number;

  @Field(() => Int, { description: "Who made the edit." })
  updaterId!: number;

  @Field(() => String, { description: "Name of who made the edit." })
  updaterName!: string;

  @Field(() => User, { nullable: true, description: "Who made the edit." })
  updater!: User | null;

  @Field(() => String, { description: "The title." })
  title!: string;

  @Field(() => String, { description: "The text." })
  body!: string;

  @Field(() => [String], { description: "The other names." })
  otherNames!: string[];

  @Field(() => Boolean, { description: "Whether it was locked." })
  isLocked!: boolean;

  @Field(() => Boolean, { description: "Whether it was deleted." })
  isDeleted!: boolean;

  @Field(() => Date, { description: "When the edit was made." })
  createdAt!: Date;

  @Field(() => Date, {
    description: "When the version last changed; later than `createdAt` only where edits are merged.",
  })
  updatedAt!: Date;
}

export const WikiPageVersionConnection = Connection(WikiPageVersion, "WikiPageVersion");

@InputType({ description: "Which versions of wiki pages to list." })
export class WikiPageVersionSearch implements SearchAttributes {
  @Field(() => [Int], { nullable: true, description: "Versions of these numbers." })
  id?: number[] | null;

  @Field(() => [Int], { nullable: true, description: "Versions of these pages." })
  wikiPageId?: number[] | null;

  @Field(() => [Int], { nullable: true, description: "Edits by these users." })
  updaterId?: number[] | null;

  @Field(() => String, { nullable: true, description: "Edits by the user of this name." })
  updaterName?: string | null;
}
