import { Arg, Ctx, Query, Resolver } from "type-graphql";
import type { Suggestion as SuggestionRecord } from "../../src/resources/autocomplete/autocomplete.service.js";
import type { GraphQLContext } from "../context.js";
import { Gated } from "../shared/access.js";
import { costOf, First, SUGGESTIONS } from "../shared/bounded.js";
import { AutocompleteSearch, Suggestions } from "./autocomplete.type.js";

@Resolver()
export class AutocompleteResolver {
  @Gated()
  @Query(() => Suggestions, {
    description: "Suggestions to complete what a user is typing.",
    complexity: costOf(SUGGESTIONS),
  })
  async autocomplete(
    @Arg("search", () => AutocompleteSearch, { nullable: true, description: "The text entered so far." })
    search: AutocompleteSearch | null,
    @First(SUGGESTIONS) first: number | null,
    @Ctx() { board }: GraphQLContext,
  ): Promise<{ nodes: SuggestionRecord[] }> {
    const text = search?.query ?? search?.nameMatches ?? "";
    const type = search?.type ?? (typeof search?.query === "string" ? "tag_query" : "tag");
    return { nodes: await board.autocomplete.find(text, type, first ?? undefined, search?.corrects ?? false) };
  }
}
