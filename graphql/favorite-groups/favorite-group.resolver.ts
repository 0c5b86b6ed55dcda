import { mayUpdate } from "../../src/resources/favorite-groups/favorite-group.policy.js";
import { Bounded, IDS } from "../shared/bounded.js";
import { allNullable, AlsoNamed, boolean, date, int, ints, nullable, objectType, string } from "../shared/fields.js";
import { editsOf } from "../shared/edits.js";
import { list, mutation, one, resolversOf } from "../shared/operations.js";
import { abilities, relation } from "../shared/record-fields.js";
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

/** A mutation that adds or removes one post. @param change the method of the service */
const member = (change: "addPost" | "removePost", description: string, ofInput: string) =>
  mutation({
    description,
    limited: "recordEdit",
    input: [{ id: int(NUMBER), postId: int("ID of the post.") }, ofInput, "The favorite group and the post."],
    payload: [FavoriteGroup, "The favorite group after the edit."],
    resolve: (context, { id, postId }) => context.board.favoriteGroups[change](context, id, postId),
  });

const edits = editsOf(FavoriteGroup, ({ favoriteGroups }) => favoriteGroups);

resolversOf(FavoriteGroup, {
  favoriteGroups: list({
    of: FavoriteGroup,
    description: "Lists public favorite groups and the viewer's own, newest first.",
    search: {
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
    },
    find: ({ board, viewer }, search, page) => board.favoriteGroups.search(viewer, search, page),
  }),

  favoriteGroup: one({ of: FavoriteGroup, description: "One favorite group.", id: NUMBER }),

  createFavoriteGroup: edits.create(
    "Creates a favorite group. Members can have at most 3, Gold users 5, higher levels 10.",
    {
      name: string("The name; spaces become underscores."),
      postIds: nullable(ints("Its posts, in order.", AlsoNamed("post_ids_string"))),
      isPublic: nullable(boolean("Whether it is visible to everybody; private by default.")),
    },
  ),
  updateFavoriteGroup: edits.update(
    "Edits one of the viewer's favorite groups: its name, visibility, and posts with their order.",
    allNullable({
      name: string("The name; spaces become underscores."),
      postIds: ints("All its posts, in order; null removes them all.", AlsoNamed("post_ids_string")),
      isPublic: boolean("Whether it is visible to everybody."),
    }),
  ),
  deleteFavoriteGroup: edits.act("delete", "Deletes one of the viewer's favorite groups and its history permanently."),
  revertFavoriteGroup: edits.revert(
    "Reverts the name and the posts of one of the viewer's favorite groups to an earlier version.",
  ),

  addPostToFavoriteGroup: member(
    "addPost",
    "Adds a post to the end of one of the viewer's favorite groups.",
    "The post to add and the favorite group to add it to.",
  ),
  removePostFromFavoriteGroup: member(
    "removePost",
    "Removes a post from one of the viewer's favorite groups.",
    "The post to remove and its favorite group.",
  ),

  creator: relation(() => User, "The owner."),

  viewerCan: abilities("a favorite group", { update: [mayUpdate, "Edit, revert and delete it."] }),
});

versionsOf(FavoriteGroup, {
  fields: {
    name: string("The name."),
    postIds: ints(POSTS, Bounded(IDS)),
    addedPostIds: ints("IDs of the added posts.", Bounded(IDS)),
    removedPostIds: ints("IDs of the removed posts.", Bounded(IDS)),
    isPublic: boolean("Whether it was visible to everybody."),
  },
});
