import { Field, InputType, Int } from "type-graphql";
import type {
  NewWikiPage,
  WikiPageSearch as SearchAttributes,
} from "../../src/resources/wiki-pages/wiki-page.service.js";
import type { WikiPageEdit } from "../../src/resources/wiki-pages/wiki-page.state.js";
import { SeparatedByBlanks } from "../shared/lists.js";
import { WikiPageOrder } from "./wiki-page.enums.js";

@InputType({ description: "Which wiki pages to list." })
export class WikiPageSearch implements SearchAttributes {
  @Field(() => [Int], { nullable: true, description: "Pages of these numbers." })
  id?: number[] | null;

  @Field(() => String, { nullable: true, description: "Pages of this title, a pattern with `*`." })
  title?: string | null;

  @Field(() => [Int], { nullable: true, description: "Pages made by these users." })
  creatorId?: number[] | null;

  @Field(() => String, { nullable: true, description: "Pages made by the user of this name." })
  creatorName?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Words of title and text; with `*` a pattern of both, joined by a blank.",
  })
  bodyMatches?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Pages with one of these other names, which are separated by blanks; with `*` they are patterns.",
  })
  otherNamesMatch?: string | null;

  @Field(() => Boolean, { nullable: true, description: "Pages with or without other names." })
  otherNamesPresent?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "True leaves deleted pages out." })
  hideDeleted?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Pages that are deleted, or that are not." })
  isDeleted?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Pages that are locked, or that are not." })
  isLocked?: boolean | null;

  @Field(() => WikiPageOrder, { nullable: true, description: "The order: by `DATE` unless said otherwise." })
  order?: SearchAttributes["order"];
}

@InputType({ description: "A new wiki page." })
export class CreateWikiPageInput implements NewWikiPage {
  @Field(() => String, { description: "Its title, which no other page has." })
  title!: string;

  @Field(() => String, { description: "The text." })
  body!: string;

  @SeparatedByBlanks()
  @Field(() => [String], { nullable: true, description: "What else the same thing is called." })
  otherNames?: string[] | null;

  @Field(() => Boolean, { nullable: true, description: "Whether it is locked, which takes a Builder." })
  isLocked?: boolean | null;
}

@InputType({ description: "An edit of a wiki page, named by its number or its title. What is absent stays as it is." })
export class UpdateWikiPageInput implements WikiPageEdit {
  @Field(() => Int, { nullable: true, description: "Number of the page." })
  id?: number | null;

  @Field(() => String, { nullable: true, description: "Title of the page before the edit, in the place of `id`." })
  currentTitle?: string | null;

  @Field(() => String, { nullable: true, description: "A new title." })
  title?: string | null;

  @Field(() => String, { nullable: true, description: "The text." })
  body?: string | null;

  @SeparatedByBlanks()
  @Field(() => [String], { nullable: true, description: "What else the same thing is called; null: nothing." })
  otherNames?: string[] | null;

  @Field(() => Boolean, { nullable: true, description: "Locks or unlocks it, which takes a Builder." })
  isLocked?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Deletes it or brings it back, which takes a Builder." })
  isDeleted?: boolean | null;
}

@InputType({ description: "Which wiki page to delete." })
export class DeleteWikiPageInput {
  @Field(() => Int, { description: "Number of the page." })
  id!: number;
}

@InputType({ description: "Which version a wiki page goes back to." })
export class RevertWikiPageInput {
  @Field(() => Int, { description: "Number of the page." })
  id!: number;

  @Field(() => Int, { description: "Number of the version, which must be one of this page." })
  versionId!: number;
}
