import { Arg, Ctx, Int, Mutation, Query, Resolver } from "type-graphql";
import { mayDelete, mayUpdate } from "../../src/resources/dmails/dmail.policy.js";
import type { DmailRecord } from "../../src/resources/dmails/dmail.records.js";
import type { GraphQLContext } from "../context.js";
import { Gated } from "../shared/access.js";
import { User } from "../users/user.type.js";
import {
  CreateDmailInput,
  DeleteDmailInput,
  Dmail,
  DmailSearch,
  MarkAllDmailsAsReadPayload,
  ReadDmailInput,
  UpdateDmailInput,
} from "./dmail.type.js";
import { resolver, list, mutation, relation, abilities } from "../shared/operations.js";

export const DmailOperations = resolver(Dmail, {
  dmails: list({
    of: Dmail,
    description: "Lists the viewer's own dmails, newest first.",
    search: [DmailSearch, "Which dmails to list."],
    find: ({ board, viewer }, search, page) => board.dmails.search(viewer, search, page),
  }),

  createDmail: mutation({
    description: "Sends a dmail.",
    limited: "dmail",
    input: [CreateDmailInput, "The message."],
    payload: [Dmail, "The sender's copy.", "The message that was sent."],
    resolve: (context, input) => context.board.dmails.send(context, input),
  }),

  readDmail: mutation({
    description: "Shows one of the viewer's own dmails, and marks it as read.",
    input: [ReadDmailInput, "The dmail."],
    payload: [Dmail, "The dmail, now read."],
    resolve: (context, { id }) => context.board.dmails.read(context, id),
  }),

  updateDmail: mutation({
    description: "Marks one of the viewer's own dmails as read or unread.",
    input: [UpdateDmailInput, "The edit."],
    payload: [Dmail, "The dmail after the edit."],
    resolve: (context, { id, isRead }) => context.board.dmails.mark(context, id, isRead ?? null),
  }),

  deleteDmail: mutation({
    description: "Removes a dmail from the viewer's own mailbox; the other party's copy stays.",
    input: [DeleteDmailInput, "The dmail."],
    payload: [Dmail, "The dmail as it was."],
    resolve: (context, { id }) => context.board.dmails.delete(context, id),
  }),

  from: relation(() => User, "Who sent it."),

  to: relation(() => User, "Who it was sent to."),

  viewerCan: abilities("a dmail", {
    update: [mayUpdate, "Mark it as read or unread."],
    delete: [mayDelete, "Remove it from the own mailbox."],
  }),
});

@Resolver(() => Dmail)
export class DmailResolver {
  @Gated()
  @Query(() => Dmail, {
    nullable: true,
    description: "One of the viewer's own dmails. It stays unread: `readDmail` marks it.",
  })
  dmail(
    @Arg("id", () => Int, { description: "Number of the own copy." }) id: number,
    @Ctx() { board, viewer }: GraphQLContext,
  ): Promise<DmailRecord | null> {
    return board.dmails.find(viewer, id);
  }

  @Gated()
  @Mutation(() => MarkAllDmailsAsReadPayload, { description: "Marks all of the viewer's own dmails as read." })
  async markAllDmailsAsRead(@Ctx() context: GraphQLContext): Promise<MarkAllDmailsAsReadPayload> {
    return { count: await context.board.dmails.markAllAsRead(context) };
  }
}
