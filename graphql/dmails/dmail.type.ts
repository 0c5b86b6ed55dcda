import { Field, InputType, Int, ObjectType } from "type-graphql";
import type { DmailSearch as SearchAttributes, NewDmail } from "../../src/resources/dmails/dmail.service.js";
import { Connection } from "../shared/connection.js";
import { User } from "../users/user.type.js";

@ObjectType({ description: "What the viewer may do with a dmail." })
export class DmailAbilities {
  @Field(() => Boolean, { description: "Mark it as read or unread." })
  update!: boolean;

  @Field(() => Boolean, { description: "Remove it from the own mailbox." })
  delete!: boolean;
}

@ObjectType({ description: "The viewer's own copy of a private message, received or sent." })
export class Dmail {
  @Field(() => Int, { description: "Number of the copy; the other party's has another one." })
  id!: number;

  @Field(() => Int, { description: "Whose copy it is." })
  ownerId!: number;

  @Field(() => Int, { description: "Who sent it." })
  fromId!: number;

  @Field(() => String, { description: "Name of who sent it." })
  fromName!: string;

  @Field(() => User, { nullable: true, description: "Who sent it." })
  from!: User | null;

  @Field(() => Int, { description: "Who it was sent to." })
  toId!: number;

  @Field(() => String, { description: "Name of who it was sent to." })
  toName!: string;

  @Field(() => User, { nullable: true, description: "Who it was sent to." })
  to!: User | null;

  @Field(() => String, { description: "The title." })
  title!: string;

  @Field(() => String, { description: "The text as it was written; whoever shows it must sanitise it." })
  body!: string;

  @Field(() => Boolean, { description: "Whether the owner has read it; always true for what the owner sent." })
  isRead!: boolean;

  @Field(() => Boolean, { description: "True only in the answer to its deletion." })
  isDeleted!: boolean;

  @Field(() => Date, { description: "When it was sent." })
  createdAt!: Date;

  @Field(() => Date, { description: "When the copy last changed." })
  updatedAt!: Date;

  @Field(() => DmailAbilities, { description: "What the viewer may do with it." })
  viewerCan!: DmailAbilities;
}

export const DmailConnection = Connection(Dmail, "Dmail");

@InputType({ description: "Which of the viewer's own dmails to list." })
export class DmailSearch implements SearchAttributes {
  @Field(() => [Int], { nullable: true, description: "Dmails of these numbers." })
  id?: number[] | null;

  @Field(() => String, {
    nullable: true,
    description: "Words of title and text; with `*` a pattern of the two, one after the other.",
  })
  messageMatches?: string | null;

  @Field(() => String, { nullable: true, description: "Dmails to the user of this name." })
  toName?: string | null;

  @Field(() => [Int], { nullable: true, description: "Dmails to these users." })
  toId?: number[] | null;

  @Field(() => String, { nullable: true, description: "Dmails from the user of this name." })
  fromName?: string | null;

  @Field(() => [Int], { nullable: true, description: "Dmails from these users." })
  fromId?: number[] | null;

  @Field(() => Boolean, { nullable: true, description: "Dmails that are read, or that are not." })
  read?: boolean | null;
}

@InputType({ description: "A message to send. The recipient goes by name or by number." })
export class CreateDmailInput implements NewDmail {
  @Field(() => String, { nullable: true, description: "Name of the recipient, in any case." })
  toName?: string | null;

  @Field(() => Int, { nullable: true, description: "Number of the recipient." })
  toId?: number | null;

  @Field(() => String, { nullable: true, description: "The title; required." })
  title?: string | null;

  @Field(() => String, { nullable: true, description: "The text; required." })
  body?: string | null;
}

@InputType({ description: "Which dmail to read." })
export class ReadDmailInput {
  @Field(() => Int, { description: "Number of the own copy." })
  id!: number;
}

@InputType({ description: "An edit of the own copy of a dmail. What is absent stays as it is." })
export class UpdateDmailInput {
  @Field(() => Int, { description: "Number of the own copy." })
  id!: number;

  @Field(() => Boolean, { nullable: true, description: "Whether it counts as read." })
  isRead?: boolean | null;
}

@InputType({ description: "Which dmail to remove." })
export class DeleteDmailInput {
  @Field(() => Int, { description: "Number of the own copy." })
  id!: number;
}

@ObjectType({ description: "The message that was sent." })
export class CreateDmailPayload {
  @Field(() => Dmail, { description: "The sender's copy." })
  dmail!: Dmail;
}

@ObjectType({ description: "The dmail, now read." })
export class ReadDmailPayload {
  @Field(() => Dmail, { description: "The dmail, now read." })
  dmail!: Dmail;
}

@ObjectType({ description: "The dmail after the edit." })
export class UpdateDmailPayload {
  @Field(() => Dmail, { description: "The dmail after the edit." })
  dmail!: Dmail;
}

@ObjectType({ description: "The dmail as it was." })
export class DeleteDmailPayload {
  @Field(() => Dmail, { description: "The dmail as it was." })
  dmail!: Dmail;
}

@ObjectType({ description: "What was marked." })
export class MarkAllDmailsAsReadPayload {
  @Field(() => Int, { description: "How many were unread." })
  count!: number;
}
