import { Level, levelName } from "../../src/runtime/auth/levels.js";
import { isSignedIn } from "../../src/runtime/auth/viewer.js";
import { maySeeFlagger } from "../../src/resources/post-flags/post-flag.policy.js";
import { maySeeFavoriteCount } from "../../src/resources/shared/privacy.policy.js";
import type { UserRecord } from "../../src/resources/users/user.records.js";
import { beginSession } from "../session/begin-session.js";
import { OwnSettings, User, UserActivity } from "./user.type.js";
import { resolversOf, list, mutation, query } from "../shared/operations.js";
import { computed } from "../shared/record-fields.js";
import {
  allNullable,
  boolean,
  Costing,
  enumType,
  int,
  ints,
  nested,
  nullable,
  objectType,
  oneOf,
  string,
} from "../shared/fields.js";

const CreateUserPayload = objectType("CreateUserPayload", "The new account, which is signed in.", {
  user: nested(() => User, "The new user."),
  csrfToken: string("Token to send as `X-CSRF-Token` with writes authenticated by the session cookie."),
});

/** Cost of a user's activity, which is counted in eight tables. */
const ACTIVITY = 10;

const UserOrder = enumType("UserOrder", "Sort orders of users.", {
  NAME: ["name", "By name."],
  POST_UPLOAD_COUNT: ["post_upload_count", "Most uploads first."],
  NOTE_COUNT: ["note_count", "Most note edits first."],
  POST_UPDATE_COUNT: ["post_update_count", "Most post edits first."],
  DATE: ["date", "Newest first."],
});

resolversOf(User, {
  users: list({
    of: User,
    description: "Lists users.",
    search: {
      id: ints("Users with these IDs."),
      name: string("Pattern of the name, ignoring case; `*` matches anything."),
      nameMatches: string("The same as `name`."),
      level: int("Users of exactly this level."),
      minLevel: int("Users of this level and above."),
      maxLevel: int("Users of this level and below."),
      order: oneOf(UserOrder, "The sort order; newest first by default."),
    },
    find: ({ board }, search, page) => board.users.search(search, page),
  }),

  user: query({
    returns: nullable(nested(() => User, "One user, by ID or by name.")),
    args: { id: nullable(int("ID of the user.")), name: nullable(string("Name of the user, ignoring case.")) },
    resolve: ({ board, loaders }, { id, name }) =>
      typeof id === "number" ? loaders.user.load(id) : name ? board.users.byName(name) : null,
  }),

  viewer: query({
    returns: nullable(nested(() => User, "The signed-in user; null for visitors.")),
    beforeLogin: true,
    resolve: ({ loaders, viewer }) => (isSignedIn(viewer) ? loaders.user.load(viewer.id) : null),
  }),

  profile: query({
    returns: nested(() => User, "The viewer's account. Requires sign-in."),
    resolve: ({ board, viewer }) => board.users.profile(viewer),
  }),

  createUser: mutation({
    description:
      "Signs a visitor up as a Member and signs them in. The following mutations of the request run as that user.",
    beforeLogin: true,
    input: [
      {
        name: string("Name: 2 to 100 characters without spaces and colons."),
        password: string("Password: at least 8 characters and not a common one."),
        ...allNullable({
          passwordConfirmation: string("The password again; checked if present."),
          email: string("Email address."),
        }),
      },
      "A new account.",
      "The account.",
    ],
    payload: CreateUserPayload,
    resolve: async (context, input) => {
      context.session.refuseForeignPage();
      const user = await context.board.users.signUp(context, input);
      return { user, csrfToken: await beginSession(context, user) };
    },
  }),

  levelString: computed(string("Name of the level."), (user: UserRecord) => levelName(user.level)),

  canUploadFree: computed(
    boolean("Whether uploads skip the approval queue."),
    (user: UserRecord) => user.level >= Level.Contributor,
  ),

  canApprovePosts: computed(
    boolean("Whether the user may approve posts."),
    (user: UserRecord) => user.level >= Level.Janitor,
  ),

  favoriteCount: computed(
    nullable(int("Number of favorites; null if they are private, except for the user and for Admins.")),
    (user: UserRecord, { viewer }) => (maySeeFavoriteCount(viewer, user) ? user.favoriteCount : null),
  ),

  activity: computed(
    nullable(nested(() => UserActivity, "Statistics of the user.", Costing(ACTIVITY))),
    async (user: UserRecord, { loaders, viewer }) => {
      const activity = await loaders.userActivity.load(user.id);
      return activity && !maySeeFlagger(viewer, { creatorId: user.id }) ? { ...activity, flagCount: null } : activity;
    },
  ),

  settings: computed(
    nullable(nested(() => OwnSettings, "The settings and the API key; null for other users.")),
    (user: UserRecord, context) => {
      const { board, viewer } = context;
      if (viewer.id === user.id) context.doNotStore(); // they include the key
      return board.userSettings.of(viewer, user.id);
    },
  ),

  csrfToken: computed(
    nullable(
      string(
        "Token to send as `X-CSRF-Token` with writes authenticated by the session cookie; null for other users and for requests not authenticated by a cookie.",
      ),
    ),
    (user: UserRecord, context) => {
      if (context.viewer.id !== user.id) return null;
      context.doNotStore();
      return context.session.csrfToken();
    },
  ),
});
