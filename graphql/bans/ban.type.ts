import { Field, InputType, Int, ObjectType } from "type-graphql";
import type { BanSearch as SearchAttributes, NewBan } from "../../src/resources/bans/ban.service.js";
import { Connection } from "../shared/connection.js";
import { User } from "../users/user.type.js";

@ObjectType({ description: "A user's ban: reading is allowed, writing is not." })
export class Ban {
  @Field(() => Int, { description: "Number of the ban." })
  id!: number;

  @Field(() => Int, { description: "Number of the banned user." })
  userId!: number;

  @Field(() => String, { description: "Name of the banned user." })
  userName!: string;

  @Field(() => User, { nullable: true, description: "The banned user." })
  user!: User | null;

  @Field(() => Int, { description: "Number of who banned them." })
  bannerId!: number;

  @Field(() => String, { description: "Name of who banned them." })
  bannerName!: string;

  @Field(() => User, { nullable: true, description: "Who banned them." })
  banner!: User | null;

  @Field(() => String, { description: "Why." })
  reason!: string;

  @Field(() => Date, { nullable: true, description: "When it ends or ended; null for ever." })
  expiresAt!: Date | null;

  @Field(() => Boolean, { description: "Whether it has ended." })
  isExpired!: boolean;

  @Field(() => Date, { description: "When it began." })
  createdAt!: Date;

  @Field(() => Date, { description: "When it last changed." })
  updatedAt!: Date;
}

export const BanConnection = Connection(Ban, "Ban");

@InputType({ description: "Which bans to list." })
export class BanSearch implements SearchAttributes {
  @Field(() => [Int], { nullable: true, description: "Bans of these numbers." })
  id?: number[] | null;

  @Field(() => [Int], { nullable: true, description: "Bans of these users." })
  userId?: number[] | null;

  @Field(() => String, { nullable: true, description: "Bans of the user of this name." })
  userName?: string | null;

  @Field(() => [Int], { nullable: true, description: "Bans by these users." })
  bannerId?: number[] | null;

  @Field(() => String, { nullable: true, description: "Bans by the user of this name." })
  bannerName?: string | null;

  @Field(() => String, { nullable: true, description: "Text in the reason; with `*` a pattern of the whole reason." })
  reasonMatches?: string | null;

  @Field(() => Boolean, { nullable: true, description: "Bans that have ended, or that have not." })
  expired?: boolean | null;
}

@InputType({ description: "A ban." })
export class BanUserInput implements NewBan {
  @Field(() => Int, { description: "Number of the user, whose level is below yours." })
  userId!: number;

  @Field(() => String, { description: "Why; at most 500 characters." })
  reason!: string;

  @Field(() => Int, { nullable: true, description: "For how many days; for ever by default." })
  duration?: number | null;
}

@InputType({ description: "Whose ban to end." })
export class UnbanUserInput {
  @Field(() => Int, { description: "Number of the user, whose level is below yours." })
  userId!: number;
}

@ObjectType({ description: "The new ban, and the user." })
export class BanUserPayload {
  @Field(() => Ban, { description: "The new ban." })
  ban!: Ban;

  @Field(() => User, { nullable: true, description: "The user, now banned." })
  user!: User | null;
}

@ObjectType({ description: "The ban that has ended, and the user." })
export class UnbanUserPayload {
  @Field(() => Ban, { nullable: true, description: "The ban that has ended; null when there is no record of it." })
  ban!: Ban | null;

  @Field(() => User, { nullable: true, description: "The user, no longer banned." })
  user!: User | null;
}
