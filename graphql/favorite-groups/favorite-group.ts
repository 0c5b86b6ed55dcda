/** Favorite groups and their history. */
import { mayUpdate } from "../../src/resources/favorite-groups/favorite-group.policy.js";
import { Bounded, IDS } from "../shared/bounded.js";
import {
  allNullable,
  boolean,
  date,
  inputType,
  int,
  ints,
  nullable,
  objectType,
  string,
  optionalInput,
} from "../shared/fields.js";
import { AlsoNamed } from "../shared/lists.js";
import { abilities, list, mutation, one, relation, resolver } from "../shared/operations.js";
import { versionsOf } from "../shared/versions.js";
import { User } from "../users/user.type.js";

const NUMBER = "ID of the favorite group.";
const POSTS = "IDs of its posts, in the creator's order.";

export const FavoriteGroup = objectType(
  "FavoriteGroup",
  "A named, ordered collection of posts that belongs to a user.",
  {
    id: int(NUMBER),
    name: string("The name, with underscores instead of spaces; unique per creator, ignoring case."),
    creatorId: int("The owner."),
    creatorName: string("Name of the owner."),
    postIds: ints(POSTS, Bounded(IDS)),
    postCount: int("Number of posts."),
    isPublic: boolean("Whether it is visible to everybody and not only to its creator."),
    createdAt: date("When it was created."),
    updatedAt: date("When it was last updated."),
  },
);

const FavoriteGroupSearch = optionalInput("FavoriteGroupSearch", "Filters for the list of favorite groups.", {
  id: ints("Favorite groups with these IDs."),
  nameMatches: string(
    "Text contained in the name; with `*`, a pattern that matches the whole name.",
    AlsoNamed("name_contains"),
  ),
  creatorId: ints("Favorite groups of these users."),
  creatorName: string("Favorite groups of the user with this name."),
  isPublic: boolean("Only public groups (true) or the viewer's own private ones (false)."),
  postIdsIncludeAll: ints("Favorite groups that contain all of these posts.", AlsoNamed("post_ids")),
  postIdsIncludeAny: ints("Favorite groups that contain at least one of these posts."),
});

const CreateFavoriteGroupInput = inputType("CreateFavoriteGroupInput", "A new favorite group.", {
  name: string("The name; spaces become underscores."),
  postIds: nullable(ints("Its posts, in order.", AlsoNamed("post_ids_string"))),
  isPublic: nullable(boolean("Whether it is visible to everybody; private by default.")),
});

const UpdateFavoriteGroupInput = inputType(
  "UpdateFavoriteGroupInput",
  "An edit of a favorite group. Absent fields do not change.",
  {
    id: int(NUMBER),
    ...allNullable({
      name: string("The name; spaces become underscores."),
      postIds: ints("All its posts, in order; null removes them all.", AlsoNamed("post_ids_string")),
      isPublic: boolean("Whether it is visible to everybody."),
    }),
  },
);

const MemberInput = (name: string, description: string) =>
  inputType(name, description, { id: int(NUMBER), postId: int("ID of the post.") });

const after = [FavoriteGroup, "The favorite group after the edit."] as const;

export const FavoriteGroupResolver = resolver(FavoriteGroup, {
  favoriteGroups: list({
    of: FavoriteGroup,
    description: "Lists public favorite groups and the viewer's own, newest first.",
    search: [FavoriteGroupSearch, "Filters for the list of favorite groups."],
    find: ({ board, viewer }, search, page) => board.favoriteGroups.search(viewer, search, page),
  }),

  favoriteGroup: one({ of: FavoriteGroup, description: "One favorite group.", id: NUMBER }),

  createFavoriteGroup: mutation({
    description: "Creates a favorite group. Members can have at most 3, Gold users 5, higher levels 10.",
    limited: "recordEdit",
    input: [CreateFavoriteGroupInput, "The favorite group."],
    payload: [FavoriteGroup, "The new favorite group."],
    resolve: (context, input) => context.board.favoriteGroups.create(context, input),
  }),

  updateFavoriteGroup: mutation({
    description: "Edits one of the viewer's favorite groups: its name, visibility, and posts with their order.",
    limited: "recordEdit",
    input: [UpdateFavoriteGroupInput, "The edit."],
    payload: after,
    resolve: (context, { id, ...edit }) => context.board.favoriteGroups.update(context, id, edit),
  }),

  addPostToFavoriteGroup: mutation({
    description: "Adds a post to the end of one of the viewer's favorite groups.",
    limited: "recordEdit",
    input: [
      MemberInput("AddPostToFavoriteGroupInput", "The post to add and the favorite group to add it to."),
      "The favorite group and the post.",
    ],
    payload: after,
    resolve: (context, { id, postId }) => context.board.favoriteGroups.addPost(context, id, postId),
  }),

  removePostFromFavoriteGroup: mutation({
    description: "Removes a post from one of the viewer's favorite groups.",
    limited: "recordEdit",
    input: [
      MemberInput("RemovePostFromFavoriteGroupInput", "The post to remove and its favorite group."),
      "The favorite group and the post.",
    ],
    payload: after,
    resolve: (context, { id, postId }) => context.board.favoriteGroups.removePost(context, id, postId),
  }),

  revertFavoriteGroup: mutation({
    description: "Reverts the name and the posts of one of the viewer's favorite groups to an earlier version.",
    limited: "recordEdit",
    input: [
      { id: int(NUMBER), versionId: int("ID of the version, which must belong to this group.") },
      "The version to revert to.",
      "The favorite group and the version.",
    ],
    payload: [FavoriteGroup, "The favorite group after the revert."],
    resolve: (context, { id, versionId }) => context.board.favoriteGroups.revert(context, id, versionId),
  }),

  deleteFavoriteGroup: mutation({
    description: "Deletes one of the viewer's favorite groups and its history permanently.",
    limited: "recordEdit",
    input: [{ id: int(NUMBER) }, "The favorite group to delete.", "The favorite group."],
    payload: [FavoriteGroup, "The deleted favorite group."],
    resolve: (context, { id }) => context.board.favoriteGroups.delete(context, id),
  }),

  creator: relation(() => User, "The owner."),

  viewerCan: abilities("a favorite group", { update: [mayUpdate, "Edit, revert and delete it."] }),
});

export const FavoriteGroupVersions = versionsOf(FavoriteGroup, {
  words: ["favorite group", "favorite groups"],
  fields: {
    name: string("The name."),
    postIds: ints(POSTS, Bounded(IDS)),
    addedPostIds: ints("IDs of the added posts.", Bounded(IDS)),
    removedPostIds: ints("IDs of the removed posts.", Bounded(IDS)),
    isPublic: boolean("Whether it was visible to everybody."),
  },
});
