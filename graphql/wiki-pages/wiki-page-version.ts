import { boolean, string, strings } from "../shared/fields.js";
import { versionsOf } from "../shared/versions.js";
import { WikiPage } from "./wiki-page.type.js";

export const WikiPageVersions = versionsOf(WikiPage, {
  words: ["wiki page", "wiki pages"],
  fields: {
    title: string("The title."),
    body: string("The text."),
    otherNames: strings("The other names."),
    isLocked: boolean("Whether it was locked."),
    isDeleted: boolean("Whether it was deleted."),
  },
});
