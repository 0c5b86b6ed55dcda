import { int, string, boolean, date, ints, nullable, objectType, inputType, optionalInput } from "../shared/fields.js";

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

export const DmailSearch = optionalInput("DmailSearch", "Filters for the list of the viewer's dmails.", {
  id: ints("Dmails with these IDs."),
  messageMatches: string(
    "Words of the title and text; with `*`, a pattern that matches the title followed by the text.",
  ),
  toName: string("Dmails to the user with this name."),
  toId: ints("Dmails to these users."),
  fromName: string("Dmails from the user with this name."),
  fromId: ints("Dmails from these users."),
  read: boolean("Only read (true) or unread (false) dmails."),
});

export const CreateDmailInput = optionalInput(
  "CreateDmailInput",
  "Input of `createDmail`. The recipient is given by name or by ID.",
  {
    toName: string("Name of the recipient, ignoring case."),
    toId: int("ID of the recipient."),
    title: string("The title; required."),
    body: string("The text; required."),
  },
);

export const UpdateDmailInput = inputType(
  "UpdateDmailInput",
  "An edit of the viewer's copy of a dmail. Absent fields do not change.",
  {
    id: int("ID of the viewer's copy."),
    isRead: nullable(boolean("Whether it is read.")),
  },
);

export const MarkAllDmailsAsReadPayload = objectType(
  "MarkAllDmailsAsReadPayload",
  "The result of `markAllDmailsRead`.",
  {
    count: int("Number of dmails that were unread."),
  },
);
