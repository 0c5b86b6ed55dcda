/** Favorite groups and their history. */
import { mayUpdate } from "../../src/resources/favorite-groups/favorite-group.policy.js";
import { Bounded, IDS } from "../shared/bounded.js";
import {
  allNullable,
  boolean,
  date,
  idInput,
  inputType,
  int,
  ints,
  nullable,
  objectType,
  string,
} from "../shared/fields.js";
import { AlsoNamed } from "../shared/lists.js";
import { abilities, list, mutation, one, relation, resolver } from "../shared/operations.js";
import { versionsOf } from "../shared/versions.js";
import { User } from "../users/user.type.js";

const NUMBER = "Number of the favorite group.";
const POSTS = "Numbers of its posts, in the creator's order.";

export const FavoriteGroup = objectType("FavoriteGroup", "Posts that a user keeps under a name, in an order.", {
  id: int(NUMBER),
  name: string("The name, with underscores for blanks; unique among those of its creator, ignoring case."),
  creatorId: int("Whose it is."),
  creatorName: string("Name of whose it is."),
  postIds: ints(POSTS, Bounded(IDS)),
  postCount: int("How many posts it has."),
  isPublic: boolean("False where nobody but the creator sees it."),
  createdAt: date("When it was made."),
  updatedAt: date("When it last changed."),
});

const FavoriteGroupSearch = inputType(
  "FavoriteGroupSearch",
  "Which favorite groups to list.",
  allNullable({
    id: ints("Favorite groups of these numbers."),
    nameMatches: string("Part of the name; with `*` a pattern of the whole name.", AlsoNamed("name_contains")),
    creatorId: ints("Favorite groups of these users."),
    creatorName: string("Favorite groups of the user of this name."),
    isPublic: boolean("Those that everybody sees, or one's own that nobody else does."),
    postIdsIncludeAll: ints("Favorite groups that hold all of these posts.", AlsoNamed("post_ids")),
    postIdsIncludeAny: ints("Favorite groups that hold one of these posts at least."),
  }),
);

const CreateFavoriteGroupInput = inputType("CreateFavoriteGroupInput", "A new favorite group.", {
  name: string("The name; blanks become underscores."),
  postIds: nullable(ints("Its posts, in order.", AlsoNamed("post_ids_string"))),
  isPublic: nullable(boolean("Whether everybody sees it; nobody else does by default.")),
});

const UpdateFavoriteGroupInput = inputType(
  "UpdateFavoriteGroupInput",
  "An edit of a favorite group. What is absent stays as it is.",
  {
    id: int(NUMBER),
    ...allNullable({
      name: string("The name; blanks become underscores."),
      postIds: ints("All its posts, in order; null takes them all away.", AlsoNamed("post_ids_string")),
      isPublic: boolean("Whether everybody sees it."),
    }),
  },
);

const MemberInput = (name: string, description: string) =>
  inputType(name, description, { id: int(NUMBER), postId: int("Number of the post.") });

const RevertFavoriteGroupInput = inputType("RevertFavoriteGroupInput", "Which version a favorite group goes back to.", {
  id: int(NUMBER),
  versionId: int("Number of the version, which must be one of this group."),
});

const after = [FavoriteGroup, "The favorite group after the edit."] as const;

export const FavoriteGroupResolver = resolver(FavoriteGroup, {
  favoriteGroups: list({
    of: FavoriteGroup,
    description: "Lists favorite groups, newest first: public ones, and one's own.",
    search: [FavoriteGroupSearch, "Which favorite groups to list."],
    find: ({ board, viewer }, search, page) => board.favoriteGroups.search(viewer, search, page),
  }),

  favoriteGroup: one({ of: FavoriteGroup, description: "One favorite group.", id: NUMBER }),

  createFavoriteGroup: mutation({
    description: "Makes a favorite group. Members have 3 of them at most, Gold users 5, those above 10.",
    limited: "recordEdit",
    input: [CreateFavoriteGroupInput, "The favorite group."],
    payload: [FavoriteGroup, "The new favorite group."],
    resolve: (context, input) => context.board.favoriteGroups.create(context, input),
  }),

  updateFavoriteGroup: mutation({
    description: "Edits one of one's favorite groups: its name, its posts and their order, and who sees it.",
    limited: "recordEdit",
    input: [UpdateFavoriteGroupInput, "The edit."],
    payload: after,
    resolve: (context, { id, ...edit }) => context.board.favoriteGroups.update(context, id, edit),
  }),

  addPostToFavoriteGroup: mutation({
    description: "Puts a post at the end of one of one's favorite groups.",
    limited: "recordEdit",
    input: [MemberInput("AddPostToFavoriteGroupInput", "Which post to put where."), "Group and post."],
    payload: after,
    resolve: (context, { id, postId }) => context.board.favoriteGroups.addPost(context, id, postId),
  }),

  removePostFromFavoriteGroup: mutation({
    description: "Takes a post out of one of one's favorite groups.",
    limited: "recordEdit",
    input: [MemberInput("RemovePostFromFavoriteGroupInput", "Which post to take out of what."), "Group and post."],
    payload: after,
    resolve: (context, { id, postId }) => context.board.favoriteGroups.removePost(context, id, postId),
  }),

  revertFavoriteGroup: mutation({
    description: "Puts name and posts of one of one's favorite groups back to an earlier version.",
    limited: "recordEdit",
    input: [RevertFavoriteGroupInput, "Group and version."],
    payload: [FavoriteGroup, "The favorite group after going back."],
    resolve: (context, { id, versionId }) => context.board.favoriteGroups.revert(context, id, versionId),
  }),

  deleteFavoriteGroup: mutation({
    description: "Removes one of one's favorite groups with its history, for good.",
    limited: "recordEdit",
    input: [idInput("DeleteFavoriteGroupInput", "Which favorite group to delete.", NUMBER), "The favorite group."],
    payload: [FavoriteGroup, "The favorite group as it was."],
    resolve: (context, { id }) => context.board.favoriteGroups.delete(context, id),
  }),

  creator: relation(() => User, "Whose it is."),

  viewerCan: abilities("a favorite group", { update: [mayUpdate, "Edit, revert and delete it."] }),
});

export const FavoriteGroupVersions = versionsOf(FavoriteGroup, {
  words: ["favorite group", "favorite groups"],
  fields: {
    name: string("The name."),
    postIds: ints(POSTS, Bounded(IDS)),
    addedPostIds: ints("Numbers of the posts that came in.", Bounded(IDS)),
    removedPostIds: ints("Numbers of the posts that went out.", Bounded(IDS)),
    isPublic: boolean("Whether everybody saw it."),
  },
});
