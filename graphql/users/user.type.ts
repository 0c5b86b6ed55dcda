import { Field, Int, ObjectType } from "type-graphql";
import { Connection } from "../shared/connection.js";

@ObjectType({ description: "How much a user has done, beyond the counts in the user itself." })
export class UserActivity {
  @Field(() => Int, { description: "Edits of wiki pages." })
  wikiPageVersionCount!: number;

  @Field(() => Int, { description: "Edits of artists." })
  artistVersionCount!: number;

  @Field(() => Int, { description: "Edits of artist commentaries." })
  artistCommentaryVersionCount!: number;

  @Field(() => Int, { description: "Edits of pools." })
  poolVersionCount!: number;

  @Field(() => Int, { description: "Forum posts written in topics that everybody sees." })
  forumPostCount!: number;

  @Field(() => Int, { description: "Comments written." })
  commentCount!: number;

  @Field(() => Int, { description: "Appeals made." })
  appealCount!: number;

  @Field(() => Int, {
    nullable: true,
    description: "Flags raised; for the user and Moderators, since who flags is nobody else's business.",
  })
  flagCount!: number | null;

  @Field(() => Int, { description: "Good words of others about the user." })
  positiveFeedbackCount!: number;

  @Field(() => Int, { description: "Remarks of others about the user." })
  neutralFeedbackCount!: number;

  @Field(() => Int, { description: "Complaints of others about the user." })
  negativeFeedbackCount!: number;
}

@ObjectType({ description: "What only the user sees of the own account." })
export class OwnSettings {
  @Field(() => String, { description: "The API key. It is as good as the password: keep it secret." })
  apiKey!: string;

  @Field(() => String, { nullable: true, description: "Address for mail." })
  email!: string | null;

  @Field(() => Date, { nullable: true, description: "When the user was last here." })
  lastLoggedInAt!: Date | null;

  @Field(() => String, { description: "Searches of posts not to be shown, one a line." })
  blacklistedTags!: string;

  @Field(() => String, { description: "Tags at hand when editing." })
  favoriteTags!: string;

  @Field(() => Int, { description: "Comments with a lower score are folded away." })
  commentThreshold!: number;

  @Field(() => String, { description: "`large` or `original`." })
  defaultImageSize!: string;

  @Field(() => String, { description: "Time zone that pages show times in." })
  timeZone!: string;

  @Field(() => Int, { description: "Posts a page." })
  perPage!: number;

  @Field(() => Boolean, { description: "Whether the favorites are hidden from others." })
  enablePrivateFavorites!: boolean;
}

@ObjectType({ description: "An account." })
export class User {
  @Field(() => Int, { description: "Number of the user." })
  id!: number;

  @Field(() => String, { description: "Name, as the user wrote it." })
  name!: string;

  @Field(() => Int, { description: "Level, as a number: 20 Member to 50 Admin." })
  level!: number;

  @Field(() => String, { description: "Level, as a word." })
  levelString!: string;

  @Field(() => Date, { description: "When the account was made." })
  createdAt!: Date;

  @Field(() => Int, { nullable: true, description: "Who invited the user." })
  inviterId!: number | null;

  @Field(() => Int, { description: "Base of the upload limit; 0 for the usual one." })
  baseUploadLimit!: number;

  @Field(() => Int, { description: "Posts uploaded." })
  postUploadCount!: number;

  @Field(() => Int, { description: "Edits of posts, uploads included." })
  postUpdateCount!: number;

  @Field(() => Int, { description: "Edits of notes." })
  noteUpdateCount!: number;

  @Field(() => Int, { description: "Favorites." })
  favoriteCount!: number;

  @Field(() => Boolean, { description: "Whether the user is banned." })
  isBanned!: boolean;

  @Field(() => Boolean, { description: "Whether the account was deleted." })
  isDeleted!: boolean;

  @Field(() => Boolean, { description: "Whether uploads skip the approval queue." })
  canUploadFree!: boolean;

  @Field(() => Boolean, { description: "Whether the user may approve posts." })
  canApprovePosts!: boolean;

  @Field(() => UserActivity, { nullable: true, description: "How much the user has done." })
  activity!: UserActivity | null;

  @Field(() => OwnSettings, {
    nullable: true,
    description: "The account's settings and API key; null for everybody but the user.",
  })
  settings!: OwnSettings | null;

  @Field(() => String, {
    nullable: true,
    description:
      "Token to send as `X-CSRF-Token` with writes that rely on the session's cookie; null for everybody but the user, and where it is not a cookie that says who asks.",
  })
  csrfToken!: string | null;
}

export const UserConnection = Connection(User, "User");
