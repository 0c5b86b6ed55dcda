/** The fields of a post that are more than a column. */
import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import * as policy from "../../src/resources/posts/post.policy.js";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import { TagCategory, type TagCategoryNumber } from "../../src/tagging/categories.js";
import type { GraphQLContext } from "../context.js";
import { costOf, First, lengthOf, RECORDS, TAGS } from "../shared/bounded.js";
import { Tag } from "../tags/tag.type.js";
import { User } from "../users/user.type.js";
import { MediaFile } from "./media-file.type.js";
import { fileFacts, type FileFacts, filesUrlOf, hasVisibleChildren, poolString } from "./post.facts.js";
import { Post } from "./post.type.js";
import { resolver, relation, records, abilities } from "../shared/operations.js";

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
lock: [(viewer, post: PostRecord) => policy.mayLock(viewer, "rating"), "Lock and unlock notes and rating."],
lockStatus: [(viewer, post: PostRecord) => policy.mayLock(viewer, "status"), "Lock and unlock the status."],
flag: [policy.mayFlag, "Flag it for deletion."],
appeal: [policy.mayAppeal, "Appeal for it, when it is deleted or flagged."],
copyNotes: [policy.mayUpdate, "Copy notes onto it."],
approve: [policy.mayApprove, "Approve it; never their own upload."],
delete: [policy.mayDelete, "Delete it."],
undelete: [policy.mayUndelete, "Bring it back, when it is deleted."],
ban: [policy.mayBan, "Ban it and lift its ban."],
moveFavorites: [policy.mayMoveFavorites, "Give its favorites to its parent."],
expunge: [policy.mayExpunge, "Remove it for good."],
}),
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

  @FieldResolver(() => Boolean)
  hasVisibleChildren(@Root() post: PostRecord): boolean {
    return hasVisibleChildren(post);
  }

  @FieldResolver(() => String)
  tagString(@Root() post: PostRecord, @Ctx() context: Context): Promise<string> {
    return tagNames(post, context);
  }

  @FieldResolver(() => String)
  tagStringGeneral(@Root() post: PostRecord, @Ctx() context: Context): Promise<string> {
    return tagNames(post, context, TagCategory.general);
  }

  @FieldResolver(() => String)
  tagStringArtist(@Root() post: PostRecord, @Ctx() context: Context): Promise<string> {
    return tagNames(post, context, TagCategory.artist);
  }

  @FieldResolver(() => String)
  tagStringCopyright(@Root() post: PostRecord, @Ctx() context: Context): Promise<string> {
    return tagNames(post, context, TagCategory.copyright);
  }

  @FieldResolver(() => String)
  tagStringCharacter(@Root() post: PostRecord, @Ctx() context: Context): Promise<string> {
    return tagNames(post, context, TagCategory.character);
  }

  @FieldResolver(() => String)
  tagStringMeta(@Root() post: PostRecord, @Ctx() context: Context): Promise<string> {
    return tagNames(post, context, TagCategory.meta);
  }

  @FieldResolver(() => String, { nullable: true })
  md5(@Root() post: PostRecord, @Ctx() context: Context): string | null {
    return fileOf(post, context).md5;
  }

  @FieldResolver(() => String, { nullable: true })
  fileUrl(@Root() post: PostRecord, @Ctx() context: Context): string | null {
    return fileOf(post, context).fileUrl;
  }

  @FieldResolver(() => String, { nullable: true })
  largeFileUrl(@Root() post: PostRecord, @Ctx() context: Context): string | null {
    return fileOf(post, context).largeFileUrl;
  }

  @FieldResolver(() => String, { nullable: true })
  previewFileUrl(@Root() post: PostRecord, @Ctx() context: Context): string | null {
    return fileOf(post, context).previewFileUrl;
  }

  @FieldResolver(() => Boolean)
  hasLarge(@Root() post: PostRecord): boolean {
    return post.hasSample;
  }

  @FieldResolver(() => MediaFile, { nullable: true, description: "The file in all its sizes; null when the viewer may not see it." })
  mediaFile(@Root() post: PostRecord, @Ctx() context: Context): MediaFile | null {
    return fileOf(post, context).mediaFile;
  }

  @FieldResolver(() => String)
  poolString(@Root() post: PostRecord): string {
    return poolString(post);
  }
}
