import {
  int,
  string,
  boolean,
  date,
  ints,
  nullable,
  allNullable,
  objectType,
  inputType,
  idInput,
} from "../shared/fields.js";

export const Dmail = objectType("Dmail", "The viewer's own copy of a private message, received or sent.", {
  id: int("Number of the copy; the other party's has another one."),
  ownerId: int("Whose copy it is."),
  fromId: int("Who sent it."),
  fromName: string("Name of who sent it."),
  toId: int("Who it was sent to."),
  toName: string("Name of who it was sent to."),
  title: string("The title."),
  body: string("The text as it was written; whoever shows it must sanitise it."),
  isRead: boolean("Whether the owner has read it; always true for what the owner sent."),
  isDeleted: boolean("True only in the answer to its deletion."),
  createdAt: date("When it was sent."),
  updatedAt: date("When the copy last changed."),
});

export const DmailSearch = inputType(
  "DmailSearch",
  "Which of the viewer's own dmails to list.",
  allNullable({
    id: ints("Dmails of these numbers."),
    messageMatches: string("Words of title and text; with `*` a pattern of the two, one after the other."),
    toName: string("Dmails to the user of this name."),
    toId: ints("Dmails to these users."),
    fromName: string("Dmails from the user of this name."),
    fromId: ints("Dmails from these users."),
    read: boolean("Dmails that are read, or that are not."),
  }),
);

export const CreateDmailInput = inputType(
  "CreateDmailInput",
  "A message to send. The recipient goes by name or by number.",
  allNullable({
    toName: string("Name of the recipient, in any case."),
    toId: int("Number of the recipient."),
    title: string("The title; required."),
    body: string("The text; required."),
  }),
);

export const ReadDmailInput = idInput("ReadDmailInput", "Which dmail to read.", "Number of the own copy.");

export const UpdateDmailInput = inputType(
  "UpdateDmailInput",
  "An edit of the own copy of a dmail. What is absent stays as it is.",
  {
    id: int("Number of the own copy."),
    isRead: nullable(boolean("Whether it counts as read.")),
  },
);

export const DeleteDmailInput = idInput("DeleteDmailInput", "Which dmail to remove.", "Number of the own copy.");

export const MarkAllDmailsAsReadPayload = objectType("MarkAllDmailsAsReadPayload", "What was marked.", {
  count: int("How many were unread."),
});
export type MarkAllDmailsAsReadPayload = InstanceType<typeof MarkAllDmailsAsReadPayload>;
