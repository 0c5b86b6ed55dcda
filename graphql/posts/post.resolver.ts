import { costOf, lengthOf, PAGE } from "../shared/bounded.js";
import { pageArgs, toConnection, toPageRequest } from "../shared/connection.js";
import { editsOf } from "../shared/edits.js";
import { Rating } from "../shared/enums.js";
import { allNullable, boolean, Costing, int, nested, oneOf, string } from "../shared/fields.js";
import { one, query, resolversOf } from "../shared/operations.js";
import type { PostPage } from "./post-page.fields.js";
import { Post, PostConnection } from "./post.type.js";

const edits = editsOf(Post, ({ postEdits }) => postEdits);

resolversOf(Post, {
  post: one({ of: Post, description: "One post.", id: "ID of the post." }),

  updatePost: edits.update(
    "Edits a post.",
    allNullable({
      tagString: string(
        "All tags, separated by spaces; also `-tag`, `artist:name`, `rating:s`, `parent:1`, `source:url`, `pool:1`, " +
          "`newpool:name`, `fav:me`, `upvote:me`, `child:2`.",
      ),
      oldTagString: string(
        "The tags before the edit, as the client last read them, so that concurrent edits are merged.",
      ),
      rating: oneOf(Rating, "The rating."),
      oldRating: oneOf(Rating, "The rating before the edit, as the client last read it."),
      source: string(
        "The source. If it is a URL and the viewer is the uploader of a pending post, or a Builder or above, the file at the URL replaces the post's file.",
      ),
      oldSource: string("The source before the edit, as the client last read it."),
      parentId: int("ID of the parent post; null removes it."),
      oldParentId: int("The parent before the edit, as the client last read it."),
      isNoteLocked: boolean("Lock the notes; Builders and above."),
      isRatingLocked: boolean("Lock the rating; Builders and above."),
      isStatusLocked: boolean("Lock the status; Admins."),
    }),
    "postEdit",
  ),
  revertPost: edits.revert("Reverts a post to an earlier version.", "postEdit"),
});

resolversOf(PostConnection, {
  posts: query({
    returns: nested(() => PostConnection, "Searches posts.", Costing(costOf(PAGE))),
    args: {
      ...pageArgs,
      ...allNullable({
        md5: string("The post whose file has this MD5."),
        raw: boolean("Treat `tags` as one literal tag."),
        tags: string("The search: tags, `-tag`, `~tag`, `wild*` and meta-tags."),
      }),
    },
    resolve: async (context, { tags, raw, md5, ...page }): Promise<PostPage> => {
      const asked = { tags, raw, md5 };
      const most = context.isPriced ? lengthOf(PAGE, page.first) : undefined;
      const found = await context.board.posts.search(context, asked, { ...toPageRequest(page), most });
      return Object.assign(toConnection(found), { asked, snapshot: found.rows[0]?.snapshot ?? null });
    },
  }),
});
