import { UserOrder } from "../shared/enums.js";
import { User } from "./user.type.js";
import {
  int,
  string,
  oneOf,
  nested,
  ints,
  allNullable,
  objectType,
  inputType,
  optionalInput,
} from "../shared/fields.js";

export const UserSearch = optionalInput("UserSearch", "Filters for the list of users.", {
  id: ints("Users with these IDs."),
  name: string("Pattern of the name, ignoring case; `*` matches anything."),
  nameMatches: string("The same as `name`."),
  level: int("Users of exactly this level."),
  minLevel: int("Users of this level and above."),
  maxLevel: int("Users of this level and below."),
  order: oneOf(UserOrder, "The sort order; newest first by default."),
});

export const CreateUserInput = inputType("CreateUserInput", "A new account.", {
  name: string("Name: 2 to 100 characters without spaces and colons."),
  password: string("Password: at least 8 characters and not a common one."),
  ...allNullable({
    passwordConfirmation: string("The password again; checked if present."),
    email: string("Email address."),
  }),
});

export const CreateUserPayload = objectType("CreateUserPayload", "The new account, which is signed in.", {
  user: nested(() => User, "The new user."),
  csrfToken: string("Token to send as `X-CSRF-Token` with writes authenticated by the session cookie."),
});
