import { boolean, date, int, objectType, string } from "../shared/fields.js";

export const Dmail = objectType("Dmail", "The viewer's copy of a private message, received or sent.", {
  id: int("ID of the copy; the other party's copy has its own ID."),
  ownerId: int("The owner of the copy."),
  fromId: int("The sender."),
  fromName: string("Name of the sender."),
  toId: int("The recipient."),
  toName: string("Name of the recipient."),
  title: string("The title."),
  body: string("The text as written; clients must sanitize it before display."),
  isRead: boolean("Whether the owner has read it; always true for sent dmails."),
  isDeleted: boolean("Whether it is deleted; true only in the response to `deleteDmail`."),
  createdAt: date("When it was sent."),
  updatedAt: date("When the copy was last updated."),
});
