/** Subscriptions: the events of the board, with their records. */
import { filter, map, pipe } from "@graphql-yoga/subscription";
import { member, requireLevel } from "../../src/resources/shared/policy.js";
import type { BoardEvent } from "../../src/runtime/events/events.js";
import { Comment } from "../comments/comment.type.js";
import type { SubscriptionContext } from "../context.js";
import { Dmail } from "../dmails/dmail.type.js";
import { Note } from "../notes/note.type.js";
import { Post } from "../posts/post.type.js";
import { int, nullable, string } from "../shared/fields.js";
import { resolversOf, subscription } from "../shared/operations.js";
import { eventsOf } from "./backlog.js";

/**
 * The records of events of a type; events whose record the viewer may not see are left out. The
 * viewer and their rights are looked up again for each event.
 * @param about id that the events must be about; all events without it
 * @param endsWithout whether the subscription ends at an event whose record is gone
 */
const records = (
  context: SubscriptionContext,
  type: BoardEvent["type"],
  about: number | null | undefined,
  load: (event: BoardEvent) => Promise<object | null>,
  endsWithout = false,
): AsyncIterable<object> => {
  const isWanted = (event: BoardEvent) => typeof about !== "number" || event.about === about;
  const events = eventsOf(context.board.events, type, isWanted, () => context.fellBehind());
  return pipe(
    events,
    map(async (event: BoardEvent) => {
      if (!(await context.renew())) return null;
      const record = await load(event);
      if (!record && endsWithout) void events.return();
      return record;
    }),
    filter((record: object | null) => record !== null),
  ) as AsyncIterable<object>;
};

const postId = int("ID of the post.");

resolversOf(Post, {
  postCreated: subscription({
    of: Post,
    description: "New posts that match a search.",
    args: { tags: nullable(string("The search; all posts if absent.")) },
    subscribe: (context, { tags }) =>
      records(context, "post_created", null, ({ id }) => context.board.posts.matching(context, id, tags ?? "")),
  }),

  postChanged: subscription({
    of: Post,
    description: "Edits, flags and moderation decisions of a post; ends when it is expunged.",
    args: { postId },
    subscribe: (context, given) =>
      records(context, "post_changed", given.postId, ({ id }) => context.loaders.post.load(id), true),
  }),

  commentCreated: subscription({
    of: Comment,
    description: "New comments.",
    args: { postId: nullable(int("Only comments on this post.")) },
    subscribe: (context, given) =>
      records(context, "comment_created", given.postId, ({ id }) => context.loaders.comment.load(id)),
  }),

  noteChanged: subscription({
    of: Note,
    description: "Notes of a post that are created, edited, deleted or reverted.",
    args: { postId },
    subscribe: (context, given) =>
      records(context, "note_changed", given.postId, ({ id }) => context.loaders.note.load(id)),
  }),

  dmailReceived: subscription({
    of: Dmail,
    description: "Dmails that the viewer receives. Does not mark them as read.",
    subscribe: (context) => {
      const owner = requireLevel(context.viewer);
      return records(context, "dmail_received", owner.id, async ({ id }) =>
        // the owner may have been banned since
        member(context.viewer) ? context.board.dmails.find(context.viewer, id) : null,
      );
    },
  }),
});
