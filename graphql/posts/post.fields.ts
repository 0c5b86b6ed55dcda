/** The fields of a post that are more than a column. */
import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import * as policy from "../../src/resources/posts/post.policy.js";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import type { TagRecord } from "../../src/resources/tags/tag.service.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import { TagCategory, type TagCategoryNumber } from "../../src/tagging/categories.js";
import type { GraphQLContext } from "../context.js";
import { costOf, First, lengthOf, RECORDS, TAGS, wanted } from "../shared/bounded.js";
import { Tag } from "../tags/tag.type.js";
import { User } from "../users/user.type.js";
import { MediaFile } from "./media-file.type.js";
import { fileFacts, type FileFacts, filesUrlOf, hasVisibleChildren, poolString } from "./post.facts.js";
import { Post, PostAbilities } from "./post.type.js";

type Context = GraphQLContext;

/** The names of its tags in one category, or of all. */
async function tagNames(post: PostRecord, context: Context, category?: TagCategoryNumber): Promise<string> {
  const strings = await context.loaders.postTagStrings.load(post);
  return category === undefined ? strings.all : strings.byCategory[category];
}

const fileOf = (post: PostRecord, context: Context): FileFacts => fileFacts(post, context.viewer, filesUrlOf(context));

@Resolver(() => Post)
export class PostFields {
  @FieldResolver(() => User, { nullable: true, description: "Who uploaded it." })
  uploader(@Root() post: PostRecord, @Ctx() { loaders }: Context): Promise<UserRecord | null> {
    return loaders.user.load(post.uploaderId);
  }

  @FieldResolver(() => User, { nullable: true, description: "Who approved it last." })
  approver(@Root() post: PostRecord, @Ctx() { loaders }: Context): Promise<UserRecord | null> | null {
    return post.approverId === null ? null : loaders.user.load(post.approverId);
  }

  @FieldResolver(() => Post, { nullable: true, description: "The parent post." })
  parent(@Root() post: PostRecord, @Ctx() { loaders }: Context): Promise<PostRecord | null> | null {
    return post.parentId === null ? null : loaders.post.load(post.parentId);
  }

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

  @FieldResolver(() => [Tag], { complexity: costOf(TAGS), description: "The tags, by name." })
  tags(@Root() post: PostRecord, @First(TAGS) first: number | null, @Ctx() { loaders }: Context): Promise<TagRecord[]> {
    return loaders.postTags.load(wanted(TAGS, post, first));
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

  @FieldResolver(() => PostAbilities, { description: "What the viewer may do with it." })
  viewerCan(@Root() post: PostRecord, @Ctx() { viewer }: Context): PostAbilities {
    return {
      update: policy.mayUpdate(viewer, post),
      vote: policy.mayVote(viewer, post),
      lock: policy.mayLock(viewer, "rating"),
      lockStatus: policy.mayLock(viewer, "status"),
      flag: policy.mayFlag(viewer, post),
      appeal: policy.mayAppeal(viewer, post),
      copyNotes: policy.mayUpdate(viewer, post),
      approve: policy.mayApprove(viewer, post),
      delete: policy.mayDelete(viewer, post),
      undelete: policy.mayUndelete(viewer, post),
      ban: policy.mayBan(viewer, post),
      moveFavorites: policy.mayMoveFavorites(viewer, post),
      expunge: policy.mayExpunge(viewer, post),
    };
  }
}
