import { User } from "../users/user.type.js";
import { int, string, boolean, nested, nullable, objectType, inputType } from "../shared/fields.js";

const ownAccountInput = {
  id: nullable(int("Number of the account, which must be the viewer's own; it is meant without a number, too.")),
};

export const UpdateSettingsInput = inputType(
  "UpdateSettingsInput",
  "Changes of the viewer's settings; those that are absent or null stay.",
  {
    ...ownAccountInput,
    blacklistedTags: nullable(string("Searches of posts not to be shown, one a line.")),
    favoriteTags: nullable(string("Tags at hand when editing.")),
    commentThreshold: nullable(int("Comments with a lower score are folded away: -100 to 5.")),
    defaultImageSize: nullable(string("`large` or `original`.")),
    timeZone: nullable(string("A name of the tz database, such as `Europe/Berlin`.")),
    perPage: nullable(int("Posts a page, as many as a listing may have.")),
    email: nullable(string("Address for mail; blank for none.")),
    enablePrivateFavorites: nullable(boolean("Whether the favorites are hidden from others.")),
  },
);

export const ChangePasswordInput = inputType("ChangePasswordInput", "A new password of the viewer's.", {
  ...ownAccountInput,
  oldPassword: string("The password as it is."),
  password: string("The new one: at least 8 characters, and none of the most common ones."),
  passwordConfirmation: nullable(string("The new one again; checked when given.")),
});
export type ChangePasswordInput = InstanceType<typeof ChangePasswordInput>;

export const RotateApiKeyInput = inputType(
  "RotateApiKeyInput",
  "The viewer's account, whose API key is to become another.",
  {
    ...ownAccountInput,
    password: string("The account's password."),
  },
);
export type RotateApiKeyInput = InstanceType<typeof RotateApiKeyInput>;

export const CloseAccountInput = inputType("CloseAccountInput", "The viewer's account, which is to be closed.", {
  ...ownAccountInput,
  password: string("The account's password."),
});
export type CloseAccountInput = InstanceType<typeof CloseAccountInput>;

export const RecoverAccountInput = inputType(
  "RecoverAccountInput",
  "A way back into an account whose password is lost.",
  {
    token: string("The token that an administrator made, by `board user recover`."),
    password: string("The new password: at least 8 characters, and none of the most common ones."),
    passwordConfirmation: nullable(string("The new password again; checked when given.")),
  },
);
export type RecoverAccountInput = InstanceType<typeof RecoverAccountInput>;

const renewedAccountPayload = {
  user: nested(() => User, "The account; its settings have the new API key."),
  csrfToken: nullable(string("CSRF token of the browser's new session; null for those who sent no cookies.")),
};

export const ChangePasswordPayload = objectType(
  "ChangePasswordPayload",
  "The account with its new password, by which all sessions and the old API key have ended.",
  {
    ...renewedAccountPayload,
  },
);

export const RotateApiKeyPayload = objectType(
  "RotateApiKeyPayload",
  "The account with its new API key; the old one, and cookies that hold it, have ended.",
  {
    ...renewedAccountPayload,
  },
);

export const CloseAccountPayload = objectType("CloseAccountPayload", "The account that was closed.", {
  user: nested(() => User, "The account as it is from now on."),
});

export const RecoverAccountPayload = objectType(
  "RecoverAccountPayload",
  "The account that has a new password; it is not signed in.",
  {
    user: nested(() => User, "The account."),
  },
);
