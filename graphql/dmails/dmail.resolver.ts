import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import { Level } from "../../src/runtime/auth/levels.js";
import { mayDelete, mayUpdate } from "../../src/resources/dmails/dmail.policy.js";
import type { DmailRecord } from "../../src/resources/dmails/dmail.records.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import type { GraphQLContext } from "../context.js";
import { RequireLevel } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { Limited } from "../shared/limited.js";
import { User } from "../users/user.type.js";
import {
  CreateDmailInput,
  CreateDmailPayload,
  DeleteDmailInput,
  DeleteDmailPayload,
  Dmail,
  DmailAbilities,
  DmailConnection,
  DmailSearch,
  MarkAllDmailsAsReadPayload,
  ReadDmailInput,
  ReadDmailPayload,
  UpdateDmailInput,
  UpdateDmailPayload,
} from "./dmail.type.js";

interface Payload {
  dmail: DmailRecord;
}

@Resolver(() => Dmail)
export class DmailResolver {
  @RequireLevel(Level.Member)
  @Query(() => DmailConnection, {
    description: "Lists the viewer's own dmails, newest first.",
    complexity: listComplexity,
  })
  async dmails(
    @Arg("search", () => DmailSearch, { nullable: true, description: "Which dmails to list." })
    search: DmailSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board, viewer }: GraphQLContext,
  ): Promise<ConnectionOf<DmailRecord>> {
    return toConnection(await board.dmails.search(viewer, search ?? {}, toPageRequest(list)));
  }

  @RequireLevel(Level.Member)
  @Query(() => Dmail, {
    nullable: true,
    description: "One of the viewer's own dmails. It stays unread: `readDmail` marks it.",
  })
  dmail(
    @Arg("id", () => Int, { description: "Number of the own copy." }) id: number,
    @Ctx() { board, viewer }: GraphQLContext,
  ): Promise<DmailRecord | null> {
    return board.dmails.find(viewer, id);
  }

  @RequireLevel(Level.Member)
  @Limited("dmail")
  @Mutation(() => CreateDmailPayload, { description: "Sends a dmail." })
  async createDmail(
    @Arg("input", () => CreateDmailInput, { description: "The message." }) input: CreateDmailInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    return { dmail: await context.board.dmails.send(context, input) };
  }

  @RequireLevel(Level.Member)
  @Mutation(() => ReadDmailPayload, { description: "Shows one of the viewer's own dmails, and marks it as read." })
  async readDmail(
    @Arg("input", () => ReadDmailInput, { description: "The dmail." }) { id }: ReadDmailInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    return { dmail: await context.board.dmails.read(context, id) };
  }

  @RequireLevel(Level.Member)
  @Mutation(() => UpdateDmailPayload, { description: "Marks one of the viewer's own dmails as read or unread." })
  async updateDmail(
    @Arg("input", () => UpdateDmailInput, { description: "The edit." }) { id, isRead }: UpdateDmailInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    return { dmail: await context.board.dmails.mark(context, id, isRead ?? null) };
  }

  @RequireLevel(Level.Member)
  @Mutation(() => DeleteDmailPayload, {
    description: "Removes a dmail from the viewer's own mailbox; the other party's copy stays.",
  })
  async deleteDmail(
    @Arg("input", () => DeleteDmailInput, { description: "The dmail." }) { id }: DeleteDmailInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    return { dmail: await context.board.dmails.delete(context, id) };
  }

  @RequireLevel(Level.Member)
  @Mutation(() => MarkAllDmailsAsReadPayload, { description: "Marks all of the viewer's own dmails as read." })
  async markAllDmailsAsRead(@Ctx() context: GraphQLContext): Promise<MarkAllDmailsAsReadPayload> {
    return { count: await context.board.dmails.markAllAsRead(context) };
  }

  @FieldResolver(() => User, { nullable: true, description: "Who sent it." })
  from(@Root() dmail: DmailRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> {
    return loaders.user.load(dmail.fromId);
  }

  @FieldResolver(() => User, { nullable: true, description: "Who it was sent to." })
  to(@Root() dmail: DmailRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> {
    return loaders.user.load(dmail.toId);
  }

  @FieldResolver(() => DmailAbilities, { description: "What the viewer may do with it." })
  viewerCan(@Root() dmail: DmailRecord, @Ctx() { viewer }: GraphQLContext): DmailAbilities {
    return { update: mayUpdate(viewer, dmail), delete: mayDelete(viewer, dmail) };
  }
}
