import { mayDelete, mayUpdate } from "../../src/resources/dmails/dmail.policy.js";
import { User } from "../users/user.type.js";
import { CreateDmailInput, Dmail, DmailSearch, MarkAllDmailsAsReadPayload, UpdateDmailInput } from "./dmail.type.js";
import { resolver, list, mutation, query, relation, abilities } from "../shared/operations.js";
import { int, nested, nullable } from "../shared/fields.js";

export const DmailResolver = resolver(Dmail, {
  dmails: list({
    of: Dmail,
    description: "Lists the viewer's dmails, newest first.",
    search: [DmailSearch, "Filters for the list of dmails."],
    find: ({ board, viewer }, search, page) => board.dmails.search(viewer, search, page),
  }),

  dmail: query({
    returns: nullable(nested(() => Dmail, "One of the viewer's dmails. Does not mark it as read; `readDmail` does.")),
    args: { id: int("ID of the viewer's copy.") },
    resolve: ({ board, viewer }, { id }) => board.dmails.find(viewer, id),
  }),

  createDmail: mutation({
    description: "Sends a dmail.",
    limited: "dmail",
    input: [CreateDmailInput, "The message."],
    payload: [Dmail, "The sender's copy of the dmail.", "The sent dmail."],
    resolve: (context, input) => context.board.dmails.send(context, input),
  }),

  readDmail: mutation({
    description: "Returns one of the viewer's dmails and marks it as read.",
    input: [{ id: int("ID of the viewer's copy.") }, "The dmail to read.", "The dmail."],
    payload: [Dmail, "The dmail, marked as read."],
    resolve: (context, { id }) => context.board.dmails.read(context, id),
  }),

  updateDmail: mutation({
    description: "Marks one of the viewer's dmails as read or unread.",
    input: [UpdateDmailInput, "The edit."],
    payload: [Dmail, "The dmail after the edit."],
    resolve: (context, { id, isRead }) => context.board.dmails.mark(context, id, isRead ?? null),
  }),

  deleteDmail: mutation({
    description: "Deletes a dmail from the viewer's mailbox and keeps the other party's copy.",
    input: [{ id: int("ID of the viewer's copy.") }, "The dmail to delete.", "The dmail."],
    payload: [Dmail, "The deleted dmail."],
    resolve: (context, { id }) => context.board.dmails.delete(context, id),
  }),

  markAllDmailsAsRead: mutation({
    description: "Marks all the viewer's dmails as read.",
    payload: MarkAllDmailsAsReadPayload,
    resolve: async (context) => ({ count: await context.board.dmails.markAllAsRead(context) }),
  }),

  from: relation(() => User, "The sender."),

  to: relation(() => User, "The recipient."),

  viewerCan: abilities("a dmail", {
    update: [mayUpdate, "Mark it as read or unread."],
    delete: [mayDelete, "Delete it from the viewer's mailbox."],
  }),
});
