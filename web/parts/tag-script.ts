/** Edits posts by the tag script of a key. */
import { sentence } from "../titles.js";
import { change } from "../lib/graphql.js";
import type { Shortcut } from "../lib/keys.js";
import { SCRIPT_KEYS, tagScript } from "../lib/tag-scripts.js";
import { postsInWords } from "../lib/time.js";
import { EditManyDocument } from "./__generated__/edit-many.js";
import { tell, tellProblem } from "./toast.js";

async function run(key: string, postIds: number[]): Promise<void> {
  const script = tagScript(key);
  if (script === "") return tell(`Key ${key} has no tag script. Add one on your account page.`);
  try {
    const { updatePosts } = await change(EditManyDocument, { postIds, tagChanges: script });
    const { posts = [], refusals = [] } = updatePosts ?? {};
    const [refused] = refusals;
    const done = `${script}: ${postsInWords(posts.length)} edited.`;
    tell(refused ? `${done} ${sentence(refused.reason)}` : done, { isBad: refused !== undefined });
  } catch (error) {
    tellProblem(error);
  }
}

/**
 * The keys of all tag scripts.
 * @param postsNow the posts that they edit
 */
export const scriptKeys = (postsNow: () => number[]): Shortcut => ({
  keys: SCRIPT_KEYS,
  does: "Run a tag script",
  run: ({ key }) => {
    const postIds = postsNow();
    if (postIds.length > 0) void run(key, postIds);
  },
});
