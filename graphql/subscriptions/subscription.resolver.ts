import { filter, map, pipe } from "@graphql-yoga/subscription";
import { Arg, Int, Resolver, type ResolverData, Root, Subscription } from "type-graphql";
import type { BoardEvent } from "../../src/runtime/events/events.js";
import { member, requireLevel } from "../../src/resources/shared/policy.js";
import type { CommentRecord } from "../../src/resources/comments/comment.records.js";
import type { DmailRecord } from "../../src/resources/dmails/dmail.records.js";
import type { NoteRecord } from "../../src/resources/notes/note.records.js";
import type { PostRef } from "../../src/resources/posts/post.records.js";
import { Comment } from "../comments/comment.type.js";
import type { SubscriptionContext } from "../context.js";
import { Dmail } from "../dmails/dmail.type.js";
import { Note } from "../notes/note.type.js";
import { Post } from "../posts/post.type.js";
import { Gated } from "../shared/access.js";
import { eventsOf } from "./backlog.js";

type Data = Pick<ResolverData<SubscriptionContext>, "args" | "context">;

/**
 * The events of a type, as the records that they are about; those without a record for this viewer are left out. Who the
 * viewer is, and what that one may see, is asked again for each event.
 */
function records<T>(
  { context }: Data,
  type: BoardEvent["type"],
  isWanted: (event: BoardEvent) => boolean,
  load: (event: BoardEvent) => Promise<T | null>,
): AsyncIterable<T> {
  return pipe(
    eventsOf(context.board.events, type, isWanted, () => context.fellBehind()),
    map(async (event: BoardEvent) => ((await context.renew()) ? load(event) : null)),
    filter((record: T | null) => record !== null),
  ) as AsyncIterable<T>;
}

const postsMatching = (data: Data): AsyncIterable<PostRef> => {
  const { tags } = data.args as { tags?: string | null };
  return records(
    data,
    "post_created",
    () => true,
    ({ id }) => data.context.board.posts.matching(data.context, id, tags ?? ""),
  );
};

const changesOf = (data: Data): AsyncIterable<PostRef> => {
  const { postId } = data.args as { postId: number };
  return records(
    data,
    "post_changed",
    (event) => event.about === postId,
    ({ id }) => data.context.loaders.post.load(id),
  );
};

const commentsOn = (data: Data): AsyncIterable<CommentRecord> => {
  const { postId } = data.args as { postId?: number | null };
  const wanted = (event: BoardEvent) => typeof postId !== "number" || event.about === postId;
  return records(data, "comment_created", wanted, ({ id }) => data.context.loaders.comment.load(id));
};

const notesOn = (data: Data): AsyncIterable<NoteRecord> => {
  const { postId } = data.args as { postId: number };
  return records(
    data,
    "note_changed",
    (event) => event.about === postId,
    ({ id }) => data.context.loaders.note.load(id),
  );
};

/** Only the owner's own, and only as long as the owner may read mail at all. */
const dmailsTo = (data: Data): AsyncIterable<DmailRecord> => {
  const { context } = data;
  const owner = requireLevel(context.viewer);
  const load = async ({ id }: BoardEvent): Promise<DmailRecord | null> =>
    member(context.viewer) ? context.board.dmails.find(context.viewer, id) : null;
  return records(data, "dmail_received", (event) => event.about === owner.id, load);
};

@Resolver()
export class SubscriptionResolver {
  @Gated()
  @Subscription(() => Post, { description: "New posts that match a search.", subscribe: postsMatching })
  postCreated(
    @Root() post: PostRef,
    @Arg("tags", () => String, { nullable: true, description: "The search; all posts if absent." }) _tags:
      | string
      | null,
  ): PostRef {
    return post;
  }

  @Gated()
  @Subscription(() => Post, {
    description: "Edits, flags and moderation decisions of a post.",
    subscribe: changesOf,
  })
  postChanged(
    @Root() post: PostRef,
    @Arg("postId", () => Int, { description: "ID of the post." }) _postId: number,
  ): PostRef {
    return post;
  }

  @Gated()
  @Subscription(() => Comment, { description: "New comments.", subscribe: commentsOn })
  commentCreated(
    @Root() comment: CommentRecord,
    @Arg("postId", () => Int, { nullable: true, description: "Only comments on this post." }) _postId: number | null,
  ): CommentRecord {
    return comment;
  }

  @Gated()
  @Subscription(() => Note, {
    description: "Notes of a post that are created, edited, deleted or reverted.",
    subscribe: notesOn,
  })
  noteChanged(
    @Root() note: NoteRecord,
    @Arg("postId", () => Int, { description: "ID of the post." }) _postId: number,
  ): NoteRecord {
    return note;
  }

  @Gated()
  @Subscription(() => Dmail, {
    description: "Dmails that the viewer receives. Does not mark them as read.",
    subscribe: dmailsTo,
  })
  dmailReceived(@Root() dmail: DmailRecord): DmailRecord {
    return dmail;
  }
}
