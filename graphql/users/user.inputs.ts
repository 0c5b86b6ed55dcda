import { UserOrder } from "../shared/enums.js";
import { User } from "./user.type.js";
import { int, string, oneOf, nested, ints, allNullable, objectType, inputType } from "../shared/fields.js";

export const UserSearch = inputType(
  "UserSearch",
  "Which users to list.",
  allNullable({
    id: ints("Users of these numbers."),
    name: string("Pattern of the name; `*` stands for anything. Case does not matter."),
    nameMatches: string("The same as `name`."),
    level: int("Users of exactly this level."),
    minLevel: int("Users of this level and above."),
    maxLevel: int("Users of this level and below."),
    order: oneOf(UserOrder, "The order; newest first by default."),
  }),
);

export const CreateUserInput = inputType("CreateUserInput", "A new account.", {
  name: string("Name: 2 to 100 characters without blanks and colons."),
  password: string("Password: at least 8 characters, and none of the most common ones."),
  ...allNullable({
    passwordConfirmation: string("The password again; checked when given."),
    email: string("Address for mail."),
  }),
});
export type CreateUserInput = InstanceType<typeof CreateUserInput>;

export const CreateUserPayload = objectType("CreateUserPayload", "The account that was made; it is signed in.", {
  user: nested(() => User, "The new user."),
  csrfToken: string("Token to send as `X-CSRF-Token` with writes that rely on the session's cookie."),
});
