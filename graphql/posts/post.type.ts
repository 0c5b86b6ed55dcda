import { Bounded, IDS } from "../shared/bounded.js";
import { Rating } from "../shared/enums.js";
import { int, string, boolean, date, oneOf, ints, nested, nullable, objectType } from "../shared/fields.js";
import { Connection } from "../shared/connection.js";
import { MediaFile } from "./media-file.type.js";

export const Post = objectType("Post", "A picture or video on the board.", {
  id: int("Number of the post."),
  createdAt: date("When it was uploaded."),
  updatedAt: date("When it was last edited."),
  uploaderId: int("Number of the uploader."),
  uploaderName: string("Name of the uploader."),
  approverId: nullable(int("Number of who approved it last.")),
  rating: oneOf(Rating, "How explicit it is."),
  source: string("Where it comes from: a URL or words; empty when unknown."),
  pixivId: nullable(int("Number of the Pixiv work that the source points at.")),
  parentId: nullable(int("Number of the parent post.")),
  childIds: ints("Numbers of the posts that have this one as parent.", Bounded(IDS)),
  hasChildren: boolean("Whether any post has this one as parent."),
  hasActiveChildren: boolean("Whether any post that is not deleted has this one as parent."),
  tagCount: int("Number of tags."),
  tagCountGeneral: int("Number of general tags."),
  tagCountArtist: int("Number of artists' tags."),
  tagCountCopyright: int("Number of copyright tags."),
  tagCountCharacter: int("Number of characters' tags."),
  tagCountMeta: int("Number of meta tags."),
  score: int("Votes up less votes down."),
  upScore: int("Votes up."),
  downScore: int("Votes down, as a number of zero or less."),
  favCount: int("How many users have it among their favorites."),
  fileExt: string("Extension of the file, without the dot."),
  fileSize: int("Size of the file in bytes."),
  imageWidth: int("Width in pixels."),
  imageHeight: int("Height in pixels."),
  isPending: boolean("Whether it waits for approval."),
  isFlagged: boolean("Whether it is flagged for deletion."),
  isDeleted: boolean("Whether it is deleted."),
  isBanned: boolean("Whether it is banned: its file is for Gold and above."),
  isNoteLocked: boolean("Whether its notes are locked."),
  isRatingLocked: boolean("Whether its rating is locked."),
  isStatusLocked: boolean("Whether its status is locked."),
  lastCommentedAt: nullable(date("When it was last commented on.")),
  lastCommentBumpedAt: nullable(date("When a comment last moved it to the top of the comment listing.")),
  lastNotedAt: nullable(date("When a note was last changed; null without notes.")),
  bitFlags: int("Flags as bits: 1 for embedded notes."),
  // what is no column: `post.facts.ts`
  hasVisibleChildren: boolean("Whether there are children that the viewer is shown."),
  tagString: string("The names of all tags, separated by blanks."),
  tagStringGeneral: string("The general tags."),
  tagStringArtist: string("The artists' tags."),
  tagStringCopyright: string("The copyright tags."),
  tagStringCharacter: string("The characters' tags."),
  tagStringMeta: string("The meta tags."),
  md5: nullable(string("MD5 of the file; null when the viewer may not see the file.")),
  fileUrl: nullable(string("Where the file is; null when the viewer may not see it.")),
  largeFileUrl: nullable(string("Where the sample is, or the file when there is none.")),
  previewFileUrl: nullable(string("Where the preview is.")),
  hasLarge: boolean("Whether there is a sample."),
  mediaFile: nullable(nested(() => MediaFile, "The file in all its sizes; null when the viewer may not see it.")),
  poolString: string("The pools that it is in, as `pool:<id>` words."),
});
export type Post = InstanceType<typeof Post>;

export const PostConnection = Connection(Post);
