import { User } from "../users/user.type.js";
import { WikiPageVersion, WikiPageVersionSearch } from "./wiki-page-version.type.js";
import { WikiPage } from "./wiki-page.type.js";
import { resolver, list, one, relation } from "../shared/operations.js";
import { anybody } from "../../src/resources/shared/policy.js";

export const WikiPageVersionResolver = resolver(WikiPageVersion, {
  wikiPageVersions: list({
    of: WikiPageVersion,
    description: "Lists versions of wiki pages, newest first.",
    allow: anybody,
    search: [WikiPageVersionSearch, "Which versions to list."],
    find: ({ board }, search, page) => board.wikiPageVersions.search(search, page),
  }),

  wikiPageVersion: one({
    of: WikiPageVersion,
    description: "One version of a wiki page.",
    id: "Number of the version.",
    allow: anybody,
  }),

  wikiPage: relation(() => WikiPage, "The page as it is now."),

  updater: relation(() => User, "Who made the edit."),
});
