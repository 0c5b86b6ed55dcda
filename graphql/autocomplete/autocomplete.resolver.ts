import { Arg, Ctx, Int, Query, Resolver } from "type-graphql";
import type { Suggestion as SuggestionRecord } from "../../src/services/autocomplete.service.js";
import type { GraphQLContext } from "../context.js";
import { Public } from "../shared/access.js";
import { AutocompleteSearch, Suggestions } from "./autocomplete.type.js";

@Resolver()
export class AutocompleteResolver {
  @Public()
  @Query(() => Suggestions, { description: "What a user may be about to type.", complexity: 10 })
  async autocomplete(
    @Arg("search", () => AutocompleteSearch, { nullable: true, description: "What is being typed." })
    search: AutocompleteSearch | null,
    @Arg("first", () => Int, { nullable: true, description: "Most suggestions: 10 by default, at most 20." })
    first: number | null,
    @Ctx() { board }: GraphQLContext,
  ): Promise<{ nodes: SuggestionRecord[] }> {
    const text = search?.query ?? search?.nameMatches ?? "";
    const type = search?.type ?? (typeof search?.query === "string" ? "tag_query" : "tag");
    return { nodes: await board.autocomplete.find(text, type, first ?? undefined) };
  }
}
