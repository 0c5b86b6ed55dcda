import { Field, InputType, Int, ObjectType } from "type-graphql";
import type { Confirmed, PasswordChange, Recovery } from "../../src/resources/accounts/account.service.js";
import type { SettingsChange } from "../../src/resources/users/user.settings.js";
import { User } from "../users/user.type.js";

@InputType()
abstract class OwnAccountInput {
  @Field(() => Int, {
    nullable: true,
    description: "Number of the account, which must be the viewer's own; it is meant without a number, too.",
  })
  id?: number | null;
}

@InputType({ description: "Changes of the viewer's settings; those that are absent or null stay." })
export class UpdateSettingsInput extends OwnAccountInput implements SettingsChange {
  @Field(() => String, { nullable: true, description: "Searches of posts not to be shown, one a line." })
  blacklistedTags?: string | null;

  @Field(() => String, { nullable: true, description: "Tags at hand when editing." })
  favoriteTags?: string | null;

  @Field(() => Int, { nullable: true, description: "Comments with a lower score are folded away: -100 to 5." })
  commentThreshold?: number | null;

  @Field(() => String, { nullable: true, description: "`large` or `original`." })
  defaultImageSize?: string | null;

  @Field(() => String, { nullable: true, description: "A name of the tz database, such as `Europe/Berlin`." })
  timeZone?: string | null;

  @Field(() => Int, { nullable: true, description: "Posts a page, as many as a listing may have." })
  perPage?: number | null;

  @Field(() => String, { nullable: true, description: "Address for mail; blank for none." })
  email?: string | null;

  @Field(() => Boolean, { nullable: true, description: "Whether the favorites are hidden from others." })
  enablePrivateFavorites?: boolean | null;
}

@ObjectType({ description: "The settings that were changed." })
export class UpdateSettingsPayload {
  @Field(() => User, { description: "The account." })
  user!: User;
}

@InputType({ description: "A new password of the viewer's." })
export class ChangePasswordInput extends OwnAccountInput implements PasswordChange {
  @Field(() => String, { description: "The password as it is." })
  oldPassword!: string;

  @Field(() => String, { description: "The new one: at least 8 characters, and none of the most common ones." })
  password!: string;

  @Field(() => String, { nullable: true, description: "The new one again; checked when given." })
  passwordConfirmation?: string | null;
}

@InputType({ description: "The viewer's account, whose API key is to become another." })
export class RotateApiKeyInput extends OwnAccountInput implements Confirmed {
  @Field(() => String, { description: "The account's password." })
  password!: string;
}

@InputType({ description: "The viewer's account, which is to be closed." })
export class CloseAccountInput extends OwnAccountInput implements Confirmed {
  @Field(() => String, { description: "The account's password." })
  password!: string;
}

@InputType({ description: "A way back into an account whose password is lost." })
export class RecoverAccountInput implements Recovery {
  @Field(() => String, { description: "The token that an administrator made, by `board user recover`." })
  token!: string;

  @Field(() => String, { description: "The new password: at least 8 characters, and none of the most common ones." })
  password!: string;

  @Field(() => String, { nullable: true, description: "The new password again; checked when given." })
  passwordConfirmation?: string | null;
}

@ObjectType()
abstract class RenewedAccountPayload {
  @Field(() => User, { description: "The account; its settings have the new API key." })
  user!: User;

  @Field(() => String, {
    nullable: true,
    description: "CSRF token of the browser's new session; null for those who sent no cookies.",
  })
  csrfToken!: string | null;
}

@ObjectType({ description: "The account with its new password, by which all sessions and the old API key have ended." })
export class ChangePasswordPayload extends RenewedAccountPayload {}

@ObjectType({ description: "The account with its new API key; the old one, and cookies that hold it, have ended." })
export class RotateApiKeyPayload extends RenewedAccountPayload {}

@ObjectType({ description: "The account that was closed." })
export class CloseAccountPayload {
  @Field(() => User, { description: "The account as it is from now on." })
  user!: User;
}

@ObjectType({ description: "The account that has a new password; it is not signed in." })
export class RecoverAccountPayload {
  @Field(() => User, { description: "The account." })
  user!: User;
}
