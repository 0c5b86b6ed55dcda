/** Rights on dmails: only the owner of a copy has them, whatever the level of others. */
import { from, member, right, type Rights } from "../shared/policy.js";

const own = right<{ ownerId: number }>({
  minimum: "member",
  others: "nobody",
  owner: ({ ownerId }) => ownerId,
  note: "Only your own copies, whatever your level.",
});
const mailbox = from("member", "Your own mailbox.");

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
  subscriptions: { dmailReceived: from("member", "Messages to you.") },
  fields: { Dmail: maySee },
};
