/** A second process for the tests of the embedded database: opens it, reports so, and closes it when its stdin ends. */
import { openEmbedded } from "../../src/database/embedded.js";
import { FAST } from "./embedded-settings.js";

const database = await openEmbedded({ dataDir: process.argv[2] ?? "", settings: FAST });
console.log(JSON.stringify({ url: database.url }));
process.stdin.on("end", () => void database.close()).resume();
