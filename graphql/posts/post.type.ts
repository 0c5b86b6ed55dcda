import { Field, Int, ObjectType } from "type-graphql";
import { Bounded, IDS } from "../shared/bounded.js";
import { Connection } from "../shared/connection.js";
import { Rating } from "../shared/enums.js";
import { Tag } from "../tags/tag.type.js";
import { User } from "../users/user.type.js";
import { MediaFile } from "./media-file.type.js";

@ObjectType({ description: "What the viewer may do with a post." })
export class PostAbilities {
  @Field(() => Boolean, { description: "Edit tags, rating, source and parent, and revert." })
  update!: boolean;

  @Field(() => Boolean, { description: "Vote." })
  vote!: boolean;

  @Field(() => Boolean, { description: "Lock and unlock notes and rating." })
  lock!: boolean;

  @Field(() => Boolean, { description: "Lock and unlock the status." })
  lockStatus!: boolean;

  @Field(() => Boolean, { description: "Flag it for deletion." })
  flag!: boolean;

  @Field(() => Boolean, { description: "Appeal for it, when it is deleted or flagged." })
  appeal!: boolean;

  @Field(() => Boolean, { description: "Copy notes onto it." })
  copyNotes!: boolean;

  @Field(() => Boolean, { description: "Approve it; never their own upload." })
  approve!: boolean;

  @Field(() => Boolean, { description: "Delete it." })
  delete!: boolean;

  @Field(() => Boolean, { description: "Bring it back, when it is deleted." })
  undelete!: boolean;

  @Field(() => Boolean, { description: "Ban it and lift its ban." })
  ban!: boolean;

  @Field(() => Boolean, { description: "Give its favorites to its parent." })
  moveFavorites!: boolean;

  @Field(() => Boolean, { description: "Remove it for good." })
  expunge!: boolean;
}

@ObjectType({ description: "A picture or video on the board." })
export class Post {
  @Field(() => Int, { description: "Number of the post." })
  id!: number;

  @Field(() => Date, { description: "When it was uploaded." })
  createdAt!: Date;

  @Field(() => Date, { description: "When it was last edited." })
  updatedAt!: Date;

  @Field(() => Int, { description: "Number of the uploader." })
  uploaderId!: number;

  @Field(() => String, { description: "Name of the uploader." })
  uploaderName!: string;

  @Field(() => User, { nullable: true, description: "Who uploaded it." })
  uploader!: User | null;

  @Field(() => Int, { nullable: true, description: "Number of who approved it last." })
  approverId!: number | null;

  @Field(() => User, { nullable: true, description: "Who approved it last." })
  approver!: User | null;

  @Field(() => Rating, { description: "How explicit it is." })
  rating!: string;

  @Field(() => String, { description: "Where it comes from: a URL or words; empty when unknown." })
  source!: string;

  @Field(() => Int, { nullable: true, description: "Number of the Pixiv work that the source points at." })
  pixivId!: number | null;

  @Field(() => Int, { nullable: true, description: "Number of the parent post." })
  parentId!: number | null;

  @Field(() => Post, { nullable: true, description: "The parent post." })
  parent!: Post | null;

  @Bounded(IDS)
  @Field(() => [Int], { description: "Numbers of the posts that have this one as parent." })
  childIds!: number[];

  @Field(() => [Post], { description: "The posts that have this one as parent." })
  children!: Post[];

  @Field(() => Boolean, { description: "Whether any post has this one as parent." })
  hasChildren!: boolean;

  @Field(() => Boolean, { description: "Whether any post that is not deleted has this one as parent." })
  hasActiveChildren!: boolean;

  @Field(() => Boolean, { description: "Whether there are children that the viewer is shown." })
  hasVisibleChildren!: boolean;

  @Field(() => [Tag], { description: "The tags, by name." })
  tags!: Tag[];

  @Field(() => String, { description: "The names of all tags, separated by blanks." })
  tagString!: string;

  @Field(() => String, { description: "The general tags." })
  tagStringGeneral!: string;

  @Field(() => String, { description: "The artists' tags." })
  tagStringArtist!: string;

  @Field(() => String, { description: "The copyright tags." })
  tagStringCopyright!: string;

  @Field(() => String, { description: "The characters' tags." })
  tagStringCharacter!: string;

  @Field(() => String, { description: "The meta tags." })
  tagStringMeta!: string;

  @Field(() => Int, { description: "Number of tags." })
  tagCount!: number;

  @Field(() => Int, { description: "Number of general tags." })
  tagCountGeneral!: number;

  @Field(() => Int, { description: "Number of artists' tags." })
  tagCountArtist!: number;

  @Field(() => Int, { description: "Number of copyright tags." })
  tagCountCopyright!: number;

  @Field(() => Int, { description: "Number of characters' tags." })
  tagCountCharacter!: number;

  @Field(() => Int, { description: "Number of meta tags." })
  tagCountMeta!: number;

  @Field(() => Int, { description: "Votes up less votes down." })
  score!: number;

  @Field(() => Int, { description: "Votes up." })
  upScore!: number;

  @Field(() => Int, { description: "Votes down, as a number of zero or less." })
  downScore!: number;

  @Field(() => Int, { description: "How many users have it among their favorites." })
  favCount!: number;

  @Field(() => String, { nullable: true, description: "MD5 of the file; null when the viewer may not see the file." })
  md5!: string | null;

  @Field(() => String, { description: "Extension of the file, without the dot." })
  fileExt!: string;

  @Field(() => Int, { description: "Size of the file in bytes." })
  fileSize!: number;

  @Field(() => Int, { description: "Width in pixels." })
  imageWidth!: number;

  @Field(() => Int, { description: "Height in pixels." })
  imageHeight!: number;

  @Field(() => String, { nullable: true, description: "Where the file is; null when the viewer may not see it." })
  fileUrl!: string | null;

  @Field(() => String, { nullable: true, description: "Where the sample is, or the file when there is none." })
  largeFileUrl!: string | null;

  @Field(() => String, { nullable: true, description: "Where the preview is." })
  previewFileUrl!: string | null;

  @Field(() => Boolean, { description: "Whether there is a sample." })
  hasLarge!: boolean;

  @Field(() => MediaFile, {
    nullable: true,
    description: "The file in all its sizes; null when the viewer may not see it.",
  })
  mediaFile!: MediaFile | null;

  @Field(() => Boolean, { description: "Whether it waits for approval." })
  isPending!: boolean;

  @Field(() => Boolean, { description: "Whether it is flagged for deletion." })
  isFlagged!: boolean;

  @Field(() => Boolean, { description: "Whether it is deleted." })
  isDeleted!: boolean;

  @Field(() => Boolean, { description: "Whether it is banned: its file is for Gold and above." })
  isBanned!: boolean;

  @Field(() => Boolean, { description: "Whether its notes are locked." })
  isNoteLocked!: boolean;

  @Field(() => Boolean, { description: "Whether its rating is locked." })
  isRatingLocked!: boolean;

  @Field(() => Boolean, { description: "Whether its status is locked." })
  isStatusLocked!: boolean;

  @Field(() => Date, { nullable: true, description: "When it was last commented on." })
  lastCommentedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: "When a comment last moved it to the top of the comment listing." })
  lastCommentBumpedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: "When a note was last changed; null without notes." })
  lastNotedAt!: Date | null;

  @Field(() => Int, { description: "Flags as bits: 1 for embedded notes." })
  bitFlags!: number;

  @Field(() => String, { description: "The pools that it is in, as `pool:<id>` words." })
  poolString!: string;

  @Field(() => PostAbilities, { description: "What the viewer may do with it." })
  viewerCan!: PostAbilities;
}

export const PostConnection = Connection(Post, "Post");
