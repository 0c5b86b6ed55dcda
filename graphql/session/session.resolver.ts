import { Arg, Ctx, Field, InputType, Mutation, ObjectType, Resolver } from "type-graphql";
import type { UserRecord } from "../../src/services/user.service.js";
import type { GraphQLContext } from "../context.js";
import { Public } from "../shared/access.js";
import { User } from "../users/user.type.js";

@InputType({ description: "Who signs in." })
export class CreateSessionInput {
  @Field(() => String, { description: "Name of the user, in any case." })
  name!: string;

  @Field(() => String, { description: "The password." })
  password!: string;
}

@ObjectType({ description: "A session that has begun; its cookies come with the answer." })
export class CreateSessionPayload {
  @Field(() => User, { nullable: true, description: "Who is signed in." })
  user!: User | null;

  @Field(() => String, { description: "Token to send as `X-CSRF-Token` with writes that rely on the cookies." })
  csrfToken!: string;
}

@ObjectType({ description: "A session that has ended." })
export class DeleteSessionPayload {
  @Field(() => Boolean, { description: "Always true." })
  ended!: boolean;
}

@Resolver()
export class SessionResolver {
  @Public()
  @Mutation(() => CreateSessionPayload, {
    description: "Signs in with name and password, and sets the session cookies.",
  })
  async createSession(
    @Arg("input", () => CreateSessionInput, { description: "Name and password." }) input: CreateSessionInput,
    @Ctx() context: GraphQLContext,
  ): Promise<{ user: UserRecord | null; csrfToken: string }> {
    const { viewer, passwordHash } = await context.board.authenticator.signIn(
      input.name,
      input.password,
      context.address,
    );
    context.session.start(viewer.name, passwordHash);
    const user = await context.board.users.byName(viewer.name);
    return { user, csrfToken: context.session.csrfToken(passwordHash) };
  }

  @Public()
  @Mutation(() => DeleteSessionPayload, { description: "Ends the session: clears its cookies." })
  async deleteSession(@Ctx() { board, session, viewer }: GraphQLContext): Promise<DeleteSessionPayload> {
    await board.authenticator.signOut(viewer);
    session.end();
    return { ended: true };
  }
}
