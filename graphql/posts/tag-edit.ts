import { Bounded, TAGS } from "../shared/bounded.js";
import { TagCategory } from "../shared/enums.js";
import {
  boolean,
  Costing,
  int,
  listOf,
  nested,
  nullable,
  objectType,
  oneOf,
  string,
  strings,
} from "../shared/fields.js";
import { query, resolversOf } from "../shared/operations.js";

const TagChange = objectType("TagChange", "A tag that an edit adds or removes.", {
  name: string("Name of the tag."),
  category: oneOf(TagCategory, "Its category."),
  postCount: int("Number of posts with the tag; 0 for a new one."),
  isDeprecated: boolean("Whether it is deprecated."),
  aliasOf: nullable(string("The alias that was entered.")),
  impliedBy: nullable(string("The tag that implies it.")),
});

const TagEdit = objectType("TagEdit", "Preview of a tag edit.", {
  added: listOf(nested(() => TagChange, "Tags that would be added, by name.", Bounded(TAGS))),
  removed: listOf(nested(() => TagChange, "Tags that would be removed, by name.", Bounded(TAGS))),
  problems: strings(
    "The errors in the tags that `updatePost` would return, a sentence each; none if the tags are valid. `pool:`, `newpool:`, `child:` and `parent:` are only checked when the edit is saved.",
    Bounded(TAGS),
  ),
});

/** Cost of the statements that look up names. */
const LOOKED_UP = 50;

resolversOf(TagEdit, {
  tagEdit: query({
    returns: nested(
      () => TagEdit,
      "Previews what saving these tags would do, including aliases, implications and automatic tags. Changes nothing.",
      Costing(LOOKED_UP),
    ),
    args: {
      tagString: string("The tags, in the format that `updatePost` takes."),
      oldTagString: nullable(string("The tags before the edit, as the client last read them.")),
      postId: nullable(int("The post; absent for a new one.")),
    },
    resolve: ({ board }, { tagString, oldTagString = null, postId = null }) =>
      board.tagEdits.plan({ tagString, oldTagString, postId }),
  }),
});
