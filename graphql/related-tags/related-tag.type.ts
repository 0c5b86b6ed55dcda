import { Field, Float, Int, ObjectType } from "type-graphql";
import { Bounded, LINKED, RELATED } from "../shared/bounded.js";
import { TagCategory } from "../shared/enums.js";
import { Tag } from "../tags/tag.type.js";

@ObjectType({ description: "A tag that is often on the posts that a search finds." })
export class RelatedTag {
  @Field(() => Tag, { description: "The tag." })
  tag!: Tag;

  @Field(() => Float, { description: "Share of the sampled posts that have it, 0 to 1." })
  frequency!: number;

  @Field(() => Float, { description: "Cosine similarity of the two sets of posts." })
  cosineSimilarity!: number;

  @Field(() => Float, { description: "Jaccard similarity of the two sets of posts." })
  jaccardSimilarity!: number;

  @Field(() => Float, { description: "Overlap coefficient of the two sets of posts." })
  overlapCoefficient!: number;
}

@ObjectType({ description: "Tags that go together with a search." })
export class RelatedTags {
  @Field(() => String, { description: "The search, in lower case." })
  query!: string;

  @Field(() => TagCategory, { nullable: true, description: "The category that was asked for." })
  category!: number | null;

  @Field(() => Int, { description: "Posts that the search finds." })
  postCount!: number;

  @Field(() => Tag, { nullable: true, description: "The tag, when the search is the name of one." })
  tag!: Tag | null;

  @Bounded(RELATED)
  @Field(() => [RelatedTag], { description: "The tags, most frequent first." })
  relatedTags!: RelatedTag[];

  @Bounded(LINKED)
  @Field(() => [Tag], { description: "Tags that the wiki page of this title links to." })
  wikiPageTags!: Tag[];
}
