import { date, int, nullable, objectType, string } from "../shared/fields.js";

export const ModAction = objectType("ModAction", "An entry of the moderation log, which is public and append-only.", {
  id: int("ID of the entry."),
  creatorId: nullable(int("The user who took the action; null for the system.")),
  creatorName: nullable(string("Name of the user who took the action; null for the system.")),
  category: string("Category of the action, for example `post_delete`."),
  description: string("Human-readable description of the action."),
  subjectType: nullable(string("Type of the affected record in this schema, for example `Post`.")),
  subjectId: nullable(int("ID of the affected record, which may no longer exist.")),
  createdAt: date("When the action was taken."),
  updatedAt: date("Same as `createdAt`, because entries never change."),
});
