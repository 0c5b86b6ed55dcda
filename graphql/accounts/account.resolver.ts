import type { RenewedAccount } from "../../src/resources/accounts/account.service.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import type { GraphQLContext } from "../context.js";
import { beginSession } from "../session/begin-session.js";
import {
  ChangePasswordInput,
  ChangePasswordPayload,
  CloseAccountInput,
  CloseAccountPayload,
  RecoverAccountInput,
  RecoverAccountPayload,
  RotateApiKeyInput,
  RotateApiKeyPayload,
  UpdateSettingsInput,
} from "./account.inputs.js";
import { resolver, mutation } from "../shared/operations.js";
import { User } from "../users/user.type.js";

interface Renewed {
  user: UserRecord | null;
  csrfToken: string | null;
}

export const AccountResolver = resolver(User, {
  updateSettings: mutation({
    description: "Changes the viewer's own settings.",
    input: [UpdateSettingsInput, "The settings to change."],
    payload: [User, "The account.", "The new settings."],
    resolve: (context, input) => context.board.userSettings.update(context, input, input.id),
  }),

  changePassword: mutation({
    description:
      "Changes the viewer's password, ends all their sessions and revokes their API key. A browser that is signed in by a session gets a new one.",
    input: [ChangePasswordInput, "The old and the new password."],
    payload: ChangePasswordPayload,
    resolve: async (context, input) => renewed(context, await context.board.accounts.changePassword(context, input)),
  }),

  rotateApiKey: mutation({
    description:
      "Replaces the viewer's API key; the old one stops working at once. Sessions and the password do not change.",
    input: [RotateApiKeyInput, "The password."],
    payload: RotateApiKeyPayload,
    resolve: async (context, input) => renewed(context, await context.board.accounts.rotateApiKey(context, input)),
  }),

  closeAccount: mutation({
    description:
      "Closes the viewer's account permanently. The name, settings, sessions and API key are deleted; contributions are kept.",
    input: [CloseAccountInput, "The password."],
    payload: CloseAccountPayload,
    resolve: async (context, input) => {
      const user = await context.board.accounts.close(context, input);
      if (context.session.isUsed) context.session.end();
      return { user };
    },
  }),

  recoverAccount: mutation({
    description:
      "Sets a new password with a recovery token from an administrator, ends all sessions and revokes the API key.",
    beforeLogin: true,
    input: [RecoverAccountInput, "The token and the new password."],
    payload: RecoverAccountPayload,
    resolve: async (context, input) => ({ user: await context.board.accounts.recover(context, input) }),
  }),
});

/** A browser goes on in a new session, by cookies that hold the new key; nobody is to keep an answer that shows it. */
async function renewed(context: GraphQLContext, account: RenewedAccount): Promise<Renewed> {
  context.doNotStore();
  const csrfToken = context.session.isUsed ? await beginSession(context, account) : null;
  return { user: await context.loaders.user.load(account.id), csrfToken };
}
