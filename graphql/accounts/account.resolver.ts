import type { RenewedAccount } from "../../src/resources/accounts/account.service.js";
import type { GraphQLContext } from "../context.js";
import { beginSession } from "../session/begin-session.js";
import { boolean, int, nested, nullable, objectType, string } from "../shared/fields.js";
import { mutation, resolversOf } from "../shared/operations.js";
import { User } from "../users/user.type.js";

const ownAccountInput = {
  id: nullable(int("ID of the account, which must be the viewer's own; optional.")),
};

const renewedAccountPayload = {
  user: nested(() => User, "The account, whose settings contain the new API key."),
  csrfToken: nullable(string("CSRF token of the browser's new session; null if the request had no cookies.")),
};

const ChangePasswordPayload = objectType(
  "ChangePasswordPayload",
  "The account after the password change, which ended all sessions and revoked the API key.",
  renewedAccountPayload,
);

const RotateApiKeyPayload = objectType(
  "RotateApiKeyPayload",
  "The account with its new API key. The old key, and cookies based on it, no longer work.",
  renewedAccountPayload,
);

resolversOf(User, {
  updateSettings: mutation({
    description: "Changes the viewer's own settings.",
    input: [
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
      "Changes to the viewer's settings. Absent and null fields do not change.",
      "The settings to change.",
    ],
    payload: [User, "The account.", "The new settings."],
    resolve: (context, { id, ...change }) => context.board.userSettings.update(context, change, id),
  }),

  changePassword: mutation({
    description:
      "Changes the viewer's password, ends all their sessions and revokes their API key. A browser that is signed in by a session gets a new one.",
    input: [
      {
        ...ownAccountInput,
        oldPassword: string("The current password."),
        password: string("The new password: at least 8 characters and not a common one."),
        passwordConfirmation: nullable(string("The new password again; checked if present.")),
      },
      "Input of `changePassword`.",
      "The old and the new password.",
    ],
    payload: ChangePasswordPayload,
    resolve: async (context, input) => renewed(context, await context.board.accounts.changePassword(context, input)),
  }),

  rotateApiKey: mutation({
    description:
      "Replaces the viewer's API key; the old one stops working at once. The password and other sessions do not change. A browser that is signed in by a session gets a new one.",
    input: [
      {
        ...ownAccountInput,
        password: string("The account's password."),
      },
      "Input of `rotateApiKey`.",
      "The password.",
    ],
    payload: RotateApiKeyPayload,
    resolve: async (context, input) => renewed(context, await context.board.accounts.rotateApiKey(context, input)),
  }),

  closeAccount: mutation({
    description:
      "Closes the viewer's account permanently. The name, settings, sessions and API key are deleted; contributions are kept.",
    input: [
      {
        ...ownAccountInput,
        password: string("The account's password."),
      },
      "Input of `closeAccount`.",
      "The password.",
    ],
    payload: [User, "The account after closing.", "The closed account."],
    resolve: async (context, input) => {
      const user = await context.board.accounts.close(context, input);
      context.session.end();
      return user;
    },
  }),

  recoverAccount: mutation({
    description:
      "Sets a new password with a recovery token from an administrator, ends all sessions and revokes the API key.",
    beforeLogin: true,
    input: [
      {
        token: string("The token that an administrator created with `board user recover`."),
        password: string("The new password: at least 8 characters and not a common one."),
        passwordConfirmation: nullable(string("The new password again; checked if present.")),
      },
      "Input of `recoverAccount`.",
      "The token and the new password.",
    ],
    payload: [User, "The account.", "The account, which is not signed in."],
    resolve: (context, input) => context.board.accounts.recover(context, input),
  }),
});

/** Starts a new session in a browser, whose cookies contain the new key. The response shows the key, and so must not be stored. */
async function renewed(context: GraphQLContext, account: RenewedAccount) {
  context.doNotStore();
  const csrfToken = context.session.isUsed ? await beginSession(context, account) : null;
  return { user: await context.loaders.user.load(account.id), csrfToken };
}
