import { Field, InputType, Int, ObjectType } from "type-graphql";
import type {
  UserOrder as UserOrderWord,
  UserSearch as UserSearchAttributes,
} from "../../src/resources/users/user.service.js";
import { UserOrder } from "../shared/enums.js";
import { User } from "./user.type.js";

@InputType({ description: "Which users to list." })
export class UserSearch implements UserSearchAttributes {
  @Field(() => [Int], { nullable: true, description: "Users of these numbers." })
  id?: number[] | null;

  @Field(() => String, {
    nullable: true,
    description: "Pattern of the name; `*` stands for anything. Case does not matter.",
  })
  name?: string | null;

  @Field(() => String, { nullable: true, description: "The same as `name`." })
  nameMatches?: string | null;

  @Field(() => Int, { nullable: true, description: "Users of exactly this level." })
  level?: number | null;

  @Field(() => Int, { nullable: true, description: "Users of this level and above." })
  minLevel?: number | null;

  @Field(() => Int, { nullable: true, description: "Users of this level and below." })
  maxLevel?: number | null;

  @Field(() => UserOrder, { nullable: true, description: "The order; newest first by default." })
  order?: UserOrderWord | null;
}

@InputType({ description: "A new account." })
export class CreateUserInput {
  @Field(() => String, { description: "Name: 2 to 100 characters without blanks and colons." })
  name!: string;

  @Field(() => String, { description: "Password: at least 8 characters, and none of the most common ones." })
  password!: string;

  @Field(() => String, { nullable: true, description: "The password again; checked when given." })
  passwordConfirmation?: string | null;

  @Field(() => String, { nullable: true, description: "Address for mail." })
  email?: string | null;
}

@ObjectType({ description: "The account that was made; it is signed in." })
export class CreateUserPayload {
  @Field(() => User, { description: "The new user." })
  user!: User;

  @Field(() => String, {
    description: "Token to send as `X-CSRF-Token` with writes that rely on the session's cookie.",
  })
  csrfToken!: string;
}
