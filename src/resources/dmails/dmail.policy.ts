/** Who may do what with dmails: nobody but the owner of a copy, whatever the level. */
import { from, member, right, type Rights } from "../shared/policy.js";

const own = right<{ ownerId: number }>({
  gate: "member",
  others: "nobody",
  owner: ({ ownerId }) => ownerId,
  note: "Copies are their owner's, whatever the level.",
});
const mailbox = from("member", "One's own mailbox.");

export const mayCreate = member;
export const maySee = own;
export const mayUpdate = own;
export const mayDelete = own;

export const dmailRights: Rights = {
  reads: { dmail: maySee, dmails: mailbox },
  writes: {
    createDmail: mayCreate,
    deleteDmail: mayDelete,
    markAllDmailsAsRead: mailbox,
    readDmail: mayUpdate,
    updateDmail: mayUpdate,
  },
  subscriptions: { dmailReceived: from("member", "What comes into one's own mailbox.") },
  fields: { Dmail: maySee },
};
