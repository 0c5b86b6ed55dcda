import { Field, InputType, Int, ObjectType } from "type-graphql";
import { Connection } from "../shared/connection.js";
import { User } from "../users/user.type.js";

@ObjectType({ description: "A browser that is signed in. It is known to its own user only." })
export class Session {
  @Field(() => Int, { description: "Number of the session." })
  id!: number;

  @Field(() => Date, { description: "When the browser signed in." })
  createdAt!: Date;

  @Field(() => Date, { description: "When it last asked for something, to the hour. The session ends 30 days later." })
  lastUsedAt!: Date;

  @Field(() => String, { description: "Address that it then came from." })
  address!: string;

  @Field(() => String, { description: "What the browser then called itself; empty when it said nothing." })
  userAgent!: string;

  @Field(() => Boolean, { description: "Whether it is the session that asks." })
  isCurrent!: boolean;
}

export const SessionConnection = Connection(Session, "Session");

@InputType({ description: "Who signs in." })
export class CreateSessionInput {
  @Field(() => String, { description: "Name of the user, in any case." })
  name!: string;

  @Field(() => String, { description: "The password." })
  password!: string;
}

@ObjectType({ description: "A session that has begun; its cookie comes with the answer." })
export class CreateSessionPayload {
  @Field(() => User, { nullable: true, description: "Who is signed in." })
  user!: User | null;

  @Field(() => String, { description: "Token to send as `X-CSRF-Token` with writes that rely on the cookie." })
  csrfToken!: string;
}

@InputType({ description: "Which session to end." })
export class DeleteSessionInput {
  @Field(() => Int, {
    nullable: true,
    description: "Number of one of your own sessions; the one that asks by default.",
  })
  id?: number | null;
}

@ObjectType({ description: "A session that has ended." })
export class DeleteSessionPayload {
  @Field(() => Boolean, { description: "Always true." })
  ended!: boolean;
}

@InputType({ description: "Which sessions to end." })
export class DeleteAllSessionsInput {
  @Field(() => Boolean, { nullable: true, description: "Whether the session that asks goes on; false by default." })
  exceptCurrent?: boolean | null;
}

@ObjectType({ description: "Sessions that have ended." })
export class DeleteAllSessionsPayload {
  @Field(() => Int, { description: "How many there were." })
  endedCount!: number;
}
