/** The fields of a post that are more than a column. */
import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import * as policy from "../../src/resources/posts/post.policy.js";
import { mayCreate as mayComment } from "../../src/resources/comments/comment.policy.js";
import { mayCreate as mayAnnotate } from "../../src/resources/notes/note.policy.js";
import { member } from "../../src/resources/shared/policy.js";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import { TagCategory, type TagCategoryNumber } from "../../src/tagging/categories.js";
import type { GraphQLContext } from "../context.js";
import { costOf, First, lengthOf, RECORDS, TAGS } from "../shared/bounded.js";
import { Tag } from "../tags/tag.type.js";
import { User } from "../users/user.type.js";
import { MediaFile } from "./media-file.type.js";
import { fileFacts, type FileFacts, filesUrlOf, hasVisibleChildren, poolString } from "./post.facts.js";
import { Post } from "./post.type.js";
import { resolver, relation, records, abilities, computed } from "../shared/operations.js";
import { string, boolean, nested, nullable, oneOf } from "../shared/fields.js";
import { VoteScore } from "../shared/enums.js";

type Context = GraphQLContext;

/** The names of its tags in one category, or of all. */
async function tagNames(post: PostRecord, context: Context, category?: TagCategoryNumber): Promise<string> {
  const strings = await context.loaders.postTagStrings.load(post);
  return category === undefined ? strings.all : strings.byCategory[category];
}

const fileOf = (post: PostRecord, context: Context): FileFacts => fileFacts(post, context.viewer, filesUrlOf(context));

export const PostRelations = resolver(Post, {
  uploader: relation(() => User, "Who uploaded it."),

  approver: relation(() => User, "Who approved it last."),

  parent: relation(() => Post, "The parent post."),

  tags: records(() => Tag, "postTags", "The tags, by name.", TAGS),

  viewerCan: abilities("a post", {
    update: [policy.mayUpdate, "Edit tags, rating, source and parent, and revert."],
    vote: [policy.mayVote, "Vote."],
    lock: [(viewer) => policy.mayLock(viewer, "rating"), "Lock and unlock notes and rating."],
    lockStatus: [(viewer) => policy.mayLock(viewer, "status"), "Lock and unlock the status."],
    flag: [policy.mayFlag, "Flag it for deletion."],
    appeal: [policy.mayAppeal, "Appeal for it, when it is deleted or flagged."],
    copyNotes: [policy.mayUpdate, "Copy notes onto it."],
    approve: [policy.mayApprove, "Approve it; never their own upload."],
    delete: [policy.mayDelete, "Delete it."],
    undelete: [policy.mayUndelete, "Bring it back, when it is deleted."],
    ban: [policy.mayBan, "Ban it and lift its ban."],
    moveFavorites: [policy.mayMoveFavorites, "Give its favorites to its parent."],
    expunge: [policy.mayExpunge, "Remove it for good."],
    favorite: [member, "Make it a favorite."],
    comment: [mayComment, "Comment on it."],
    annotate: [
      (viewer, post: PostRecord) => mayAnnotate(viewer, undefined) && !post.isNoteLocked,
      "Put notes on it; nobody while they are locked.",
    ],
  }),

  viewerHasFavorited: computed(
    boolean("Whether it is among the viewer's favorites."),
    (post: PostRecord, { loaders }) => loaders.postFavorited.load(post.id),
  ),

  viewerVote: computed(
    nullable(oneOf(VoteScore, "How the viewer voted; null for not at all.")),
    async (post: PostRecord, { loaders }) => {
      const score = await loaders.postVote.load(post.id);
      return score === null ? null : score > 0 ? VoteScore.UP : VoteScore.DOWN;
    },
  ),

  hasVisibleChildren: computed(boolean("Whether there are children that the viewer is shown."), (post: PostRecord) =>
    hasVisibleChildren(post),
  ),

  tagString: computed(string("The names of all tags, separated by blanks."), (post: PostRecord, context) =>
    tagNames(post, context),
  ),

  tagStringGeneral: computed(string("The general tags."), (post: PostRecord, context) =>
    tagNames(post, context, TagCategory.general),
  ),

  tagStringArtist: computed(string("The artists' tags."), (post: PostRecord, context) =>
    tagNames(post, context, TagCategory.artist),
  ),

  tagStringCopyright: computed(string("The copyright tags."), (post: PostRecord, context) =>
    tagNames(post, context, TagCategory.copyright),
  ),

  tagStringCharacter: computed(string("The characters' tags."), (post: PostRecord, context) =>
    tagNames(post, context, TagCategory.character),
  ),

  tagStringMeta: computed(string("The meta tags."), (post: PostRecord, context) =>
    tagNames(post, context, TagCategory.meta),
  ),

  md5: computed(
    nullable(string("MD5 of the file; null when the viewer may not see the file.")),
    (post: PostRecord, context) => fileOf(post, context).md5,
  ),

  fileUrl: computed(
    nullable(string("Where the file is; null when the viewer may not see it.")),
    (post: PostRecord, context) => fileOf(post, context).fileUrl,
  ),

  largeFileUrl: computed(
    nullable(string("Where the sample is, or the file when there is none.")),
    (post: PostRecord, context) => fileOf(post, context).largeFileUrl,
  ),

  previewFileUrl: computed(
    nullable(string("Where the preview is.")),
    (post: PostRecord, context) => fileOf(post, context).previewFileUrl,
  ),

  hasLarge: computed(boolean("Whether there is a sample."), (post: PostRecord) => post.hasSample),

  mediaFile: computed(
    nullable(nested(() => MediaFile, "The file in all its sizes; null when the viewer may not see it.")),
    (post: PostRecord, context) => fileOf(post, context).mediaFile,
  ),

  poolString: computed(string("The pools that it is in, as `pool:<id>` words."), (post: PostRecord) =>
    poolString(post),
  ),
});

@Resolver(() => Post)
export class PostFields {
  @FieldResolver(() => [Post], { complexity: costOf(RECORDS), description: "The posts that have this one as parent." })
  async children(
    @Root() post: PostRecord,
    @First(RECORDS) first: number | null,
    @Ctx() { loaders }: Context,
  ): Promise<PostRecord[]> {
    const ids = post.childIds.slice(0, lengthOf(RECORDS, first));
    const children = await Promise.all(ids.map((id) => loaders.post.load(id)));
    return children.filter((child) => child !== null);
  }
}
