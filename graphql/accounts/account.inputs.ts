import { User } from "../users/user.type.js";
import { int, string, boolean, nested, nullable, objectType, inputType } from "../shared/fields.js";

const ownAccountInput = {
  id: nullable(int("ID of the account, which must be the viewer's own; optional.")),
};

export const UpdateSettingsInput = inputType(
  "UpdateSettingsInput",
  "Changes to the viewer's settings. Absent and null fields do not change.",
  {
    ...ownAccountInput,
    blacklistedTags: nullable(string("Searches whose posts are hidden, one per line.")),
    favoriteTags: nullable(string("Frequently used tags, offered when editing.")),
    commentThreshold: nullable(int("Comments with a lower score are collapsed: -100 to 5.")),
    defaultImageSize: nullable(string("`large` or `original`.")),
    timeZone: nullable(string("A name of the tz database, such as `Europe/Berlin`.")),
    perPage: nullable(int("Posts per page, up to the maximum of a listing.")),
    email: nullable(string("Email address; empty to remove it.")),
    enablePrivateFavorites: nullable(boolean("Whether the favorites are private.")),
  },
);

export const ChangePasswordInput = inputType("ChangePasswordInput", "Input of `changePassword`.", {
  ...ownAccountInput,
  oldPassword: string("The current password."),
  password: string("The new password: at least 8 characters and not a common one."),
  passwordConfirmation: nullable(string("The new password again; checked if present.")),
});

export const RotateApiKeyInput = inputType("RotateApiKeyInput", "Input of `rotateApiKey`.", {
  ...ownAccountInput,
  password: string("The account's password."),
});

export const CloseAccountInput = inputType("CloseAccountInput", "Input of `closeAccount`.", {
  ...ownAccountInput,
  password: string("The account's password."),
});

export const RecoverAccountInput = inputType("RecoverAccountInput", "Input of `recoverAccount`.", {
  token: string("The token that an administrator created with `board user recover`."),
  password: string("The new password: at least 8 characters and not a common one."),
  passwordConfirmation: nullable(string("The new password again; checked if present.")),
});

const renewedAccountPayload = {
  user: nested(() => User, "The account, whose settings contain the new API key."),
  csrfToken: nullable(string("CSRF token of the browser's new session; null if the request had no cookies.")),
};

export const ChangePasswordPayload = objectType(
  "ChangePasswordPayload",
  "The account after the password change, which ended all sessions and revoked the API key.",
  {
    ...renewedAccountPayload,
  },
);

export const RotateApiKeyPayload = objectType(
  "RotateApiKeyPayload",
  "The account with its new API key. The old key, and cookies based on it, no longer work.",
  {
    ...renewedAccountPayload,
  },
);

export const CloseAccountPayload = objectType("CloseAccountPayload", "The closed account.", {
  user: nested(() => User, "The account after closing."),
});

export const RecoverAccountPayload = objectType("RecoverAccountPayload", "The account, which is not signed in.", {
  user: nested(() => User, "The account."),
});
