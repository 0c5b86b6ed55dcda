import { Bounded, IDS } from "../shared/bounded.js";
import { Rating } from "../shared/enums.js";
import { int, string, boolean, date, oneOf, ints, nested, nullable, objectType } from "../shared/fields.js";
import { Connection } from "../shared/connection.js";
import { MediaFile } from "./media-file.type.js";

export const Post = objectType("Post", "A post: a picture or video with its tags.", {
  id: int("ID of the post."),
  createdAt: date("When it was uploaded."),
  updatedAt: date("When it was last edited."),
  uploaderId: int("ID of the uploader."),
  uploaderName: string("Name of the uploader."),
  approverId: nullable(int("ID of the user who last approved it.")),
  rating: oneOf(Rating, "The rating."),
  source: string("The source: a URL or a text; empty if unknown."),
  pixivId: nullable(int("ID of the Pixiv work that the source links to.")),
  parentId: nullable(int("ID of the parent post.")),
  childIds: ints("IDs of the child posts.", Bounded(IDS)),
  hasChildren: boolean("Whether it has child posts."),
  hasActiveChildren: boolean("Whether it has child posts that are not deleted."),
  tagCount: int("Number of tags."),
  tagCountGeneral: int("Number of general tags."),
  tagCountArtist: int("Number of artist tags."),
  tagCountCopyright: int("Number of copyright tags."),
  tagCountCharacter: int("Number of character tags."),
  tagCountMeta: int("Number of meta tags."),
  score: int("Upvotes minus downvotes."),
  upScore: int("Upvotes."),
  downScore: int("Downvotes, as a number of zero or less."),
  favCount: int("Number of users who added it to their favorites."),
  fileExt: string("Extension of the file, without the dot."),
  fileSize: int("Size of the file in bytes."),
  imageWidth: int("Width in pixels."),
  imageHeight: int("Height in pixels."),
  isPending: boolean("Whether it is pending approval."),
  isFlagged: boolean("Whether it is flagged for deletion."),
  isDeleted: boolean("Whether it is deleted."),
  isBanned: boolean("Whether it is banned: only Gold users and above can see its file."),
  isNoteLocked: boolean("Whether its notes are locked."),
  isRatingLocked: boolean("Whether its rating is locked."),
  isStatusLocked: boolean("Whether its status is locked."),
  lastCommentedAt: nullable(date("When the last comment was written.")),
  lastCommentBumpedAt: nullable(date("When a comment last moved it to the top of the comment listing.")),
  lastNotedAt: nullable(date("When a note was last changed; null if there are no notes.")),
  bitFlags: int("Bit flags: 1 for embedded notes."),
  // what is no column: `post.facts.ts`
  hasVisibleChildren: boolean("Whether it has child posts that the viewer can see."),
  tagString: string("The names of all tags, separated by spaces."),
  tagStringGeneral: string("The general tags."),
  tagStringArtist: string("The artist tags."),
  tagStringCopyright: string("The copyright tags."),
  tagStringCharacter: string("The character tags."),
  tagStringMeta: string("The meta tags."),
  md5: nullable(string("MD5 of the file; null if the viewer may not see the file.")),
  fileUrl: nullable(string("URL of the file; null if the viewer may not see it.")),
  largeFileUrl: nullable(string("URL of the sample, or of the file if there is none.")),
  previewFileUrl: nullable(string("URL of the preview.")),
  hasLarge: boolean("Whether it has a sample."),
  mediaFile: nullable(nested(() => MediaFile, "The file with all its variants; null if the viewer may not see it.")),
  poolString: string("The pools that it is in, as `pool:<id>` words."),
});
export type Post = InstanceType<typeof Post>;

export const PostConnection = Connection(Post);
