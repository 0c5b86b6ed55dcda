/** The requesters, and the records that they request. */
import { sql } from "../../src/database/client.js";
import { fillBoard } from "../support/full-board.js";
import { type Recipe, recipesOn } from "../support/recipes.js";
import { signIn } from "../support/session.js";
import { startSite } from "../support/site.js";
import type { TestUser } from "../support/factory.js";
import { makeStage, type Stage } from "../support/stage.js";
import { type Database, freezeTimes, type RecordedBoard, startBoard } from "./board.js";
import { RecordingClient } from "./recorder.js";

export interface Cast extends AsyncDisposable {
  test: RecordedBoard;
  stage: Stage;
  recipes: Record<string, Recipe>;
  visitor: RecordingClient;
  /** by HTTP Basic */
  member: RecordingClient;
  moderator: RecordingClient;
  admin: RecordingClient;
  banned: RecordingClient;
  /** by the cookies of a session, from a page of this site */
  browser: RecordingClient;
  users: { member: TestUser; moderator: TestUser; admin: TestUser; browser: TestUser };
  csrfToken: string;
}

/** A board with records of every kind, and viewers of several levels. */
export async function makeCast(database: Database): Promise<Cast> {
  const site = await startSite();
  const test = await startBoard(database, { SOURCE_ALLOW_HOSTS: site.host });
  await fillBoard(test);
  await makeWayForStage(test);
  const stage = await makeStage(test);
  const visitor = new RecordingClient(test.recorder, "visitor", test.url);
  const users = {
    member: await test.make.user("Member", "the_member"),
    moderator: await test.make.user("Moderator", "the_moderator"),
    admin: await test.make.user("Admin", "the_admin"),
    browser: await test.make.user("Member", "the_browser"),
  };
  const banned = await test.make.user("Member", "the_banned");
  const tables = test.board.database;
  await tables.user.update({ where: { id: banned.id }, data: { isBanned: true } });
  const counters = { postUploadCount: 1000, noteUpdateCount: 1000, favoriteCount: 1000, postUpdateCount: 1000 };
  await tables.user.updateMany({ data: counters });
  const { cookie, csrfToken } = await signIn(test.anonymous, users.browser);
  await freezeTimes(test);
  return {
    test,
    stage,
    users,
    recipes: recipesOn(stage, site),
    visitor,
    member: visitor.as(users.member),
    moderator: visitor.as(users.moderator),
    admin: visitor.as(users.admin),
    banned: visitor.as(banned),
    browser: visitor.named("browser").with({ cookie, "sec-fetch-site": "same-origin" }),
    csrfToken,
    async [Symbol.asyncDispose]() {
      await test[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}

/** The stage's records have names of the full board's. */
async function makeWayForStage({ board: { database } }: RecordedBoard): Promise<void> {
  await database.execute(sql`UPDATE artists SET name = 'first_' || name`);
  await database.execute(sql`UPDATE wiki_pages SET title = 'first_' || title`);
  await database.execute(sql`UPDATE pools SET name = 'first_' || name`);
  await database.execute(sql`UPDATE tag_aliases SET antecedent_name = 'first_' || antecedent_name`);
  await database.execute(sql`UPDATE tag_implications SET antecedent_name = 'first_' || antecedent_name`);
}
