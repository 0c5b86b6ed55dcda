import { Connection } from "../shared/connection.js";
import { TagCategory } from "../shared/enums.js";
import { int, string, boolean, date, oneOf, nested, strings, objectType } from "../shared/fields.js";

export const WikiPageAbilities = objectType("WikiPageAbilities", "What the viewer may do with a wiki page.", {
update: boolean("Edit and revert it."),
lock: boolean("Lock it, so that only Builders edit it."),
delete: boolean("Delete it and bring it back."),
});

export const WikiPage = objectType("WikiPage", "A page that says what a tag means, or how the board is used.", {
id: int("Number of the page."),
title: string("Its title: the name of the tag that it describes, where there is one."),
body: string("The text as it was written; whoever shows it must sanitise it."),
otherNames: strings("What else the same thing is called, in other languages above all."),
category: oneOf(TagCategory, "Category of the tag of this name; general where there is none."),
creatorId: int("Who made it."),
creatorName: string("Name of who made it."),
updaterId: int("Who made the last edit."),
updaterName: string("Name of who made the last edit."),
isLocked: boolean("True for pages that only Builders edit."),
isDeleted: boolean("True after it was deleted."),
createdAt: date("When it was made."),
updatedAt: date("When it last changed."),
});

export const WikiPageConnection = Connection(WikiPage, "WikiPage");

export const CreateWikiPagePayload = objectType("CreateWikiPagePayload", "The new page.", {
wikiPage: nested(() => WikiPage, "The new page."),
});

export const UpdateWikiPagePayload = objectType("UpdateWikiPagePayload", "The page after the edit.", {
wikiPage: nested(() => WikiPage, "The page after the edit."),
});

export const DeleteWikiPagePayload = objectType("DeleteWikiPagePayload", "The page, now deleted.", {
wikiPage: nested(() => WikiPage, "The page, now deleted."),
});

export const RevertWikiPagePayload = objectType("RevertWikiPagePayload", "The page after going back.", {
wikiPage: nested(() => WikiPage, "The page after going back."),
});
