import { mayDelete, mayUpdate } from "../../src/resources/dmails/dmail.policy.js";
import type { DmailRecord } from "../../src/resources/dmails/dmail.service.js";
import { editsOf } from "../shared/edits.js";
import { allNullable, boolean, int, ints, nested, nullable, objectType, string } from "../shared/fields.js";
import { list, mutation, query, resolversOf } from "../shared/operations.js";
import { abilities, relation, rendered } from "../shared/record-fields.js";
import { User } from "../users/user.type.js";
import { Dmail } from "./dmail.type.js";

const id = int("ID of the viewer's copy.");

const MarkAllDmailsAsReadPayload = objectType("MarkAllDmailsAsReadPayload", "The result of `markAllDmailsAsRead`.", {
  count: int("Number of dmails that were unread."),
});

resolversOf(Dmail, {
  dmails: list({
    of: Dmail,
    description: "Lists the viewer's dmails, newest first.",
    search: {
      id: ints("Dmails with these IDs."),
      messageMatches: string(
        "Words of the title and text; with `*`, a pattern that matches the title followed by the text.",
      ),
      toName: string("Dmails to the user with this name."),
      toId: ints("Dmails to these users."),
      fromName: string("Dmails from the user with this name."),
      fromId: ints("Dmails from these users."),
      read: boolean("Only read (true) or unread (false) dmails."),
    },
    find: ({ board, viewer }, search, page) => board.dmails.search(viewer, search, page),
  }),

  dmail: query({
    returns: nullable(nested(() => Dmail, "One of the viewer's dmails. Does not mark it as read; `readDmail` does.")),
    args: { id },
    resolve: ({ board, viewer }, given) => board.dmails.find(viewer, given.id),
  }),

  createDmail: mutation({
    description: "Sends a dmail.",
    limited: "dmail",
    input: [
      allNullable({
        toName: string("Name of the recipient, ignoring case."),
        toId: int("ID of the recipient."),
        title: string("The title; required."),
        body: string("The text; required."),
      }),
      "Input of `createDmail`. The recipient is given by name or by ID.",
      "The message.",
    ],
    payload: [Dmail, "The sender's copy of the dmail.", "The sent dmail."],
    resolve: (context, input) => context.board.dmails.send(context, input),
  }),

  readDmail: mutation({
    description: "Returns one of the viewer's dmails and marks it as read.",
    input: [{ id }, "The dmail to read.", "The dmail."],
    payload: [Dmail, "The dmail, marked as read."],
    resolve: (context, given) => context.board.dmails.mark(context, given.id, true),
  }),

  updateDmail: mutation({
    description: "Marks one of the viewer's dmails as read or unread.",
    input: [
      { id, isRead: nullable(boolean("Whether it is read.")) },
      "An edit of the viewer's copy of a dmail. Absent fields do not change.",
      "The edit.",
    ],
    payload: [Dmail, "The dmail after the edit."],
    resolve: (context, given) => context.board.dmails.mark(context, given.id, given.isRead ?? null),
  }),

  deleteDmail: editsOf(Dmail, ({ dmails }) => dmails).act(
    "delete",
    "Deletes a dmail from the viewer's mailbox and keeps the other party's copy.",
    null,
  ),

  markAllDmailsAsRead: mutation({
    description: "Marks all the viewer's dmails as read.",
    payload: MarkAllDmailsAsReadPayload,
    resolve: async (context) => ({ count: await context.board.dmails.markAllAsRead(context) }),
  }),

  bodyHtml: rendered("The text as sanitized HTML.", ({ body }: DmailRecord) => body),
  from: relation(() => User, "The sender."),
  to: relation(() => User, "The recipient."),

  viewerCan: abilities("a dmail", {
    update: [mayUpdate, "Mark it as read or unread."],
    delete: [mayDelete, "Delete it from the viewer's mailbox."],
  }),
});
