import type { Command } from "commander";
import { adminContext, idOf, print, withBoard } from "./command.js";

const change = (method: "ban" | "unban") => (id: number) =>
  withBoard(async (board) => {
    const artist = await board.artists[method](await adminContext(board), id);
    print({ id: artist.id, name: artist.name, is_banned: artist.isBanned });
  });

/** `artist ban`, `artist unban`. */
export function artistCommands(program: Command): void {
  const artist = program.command("artist").description("artists");
  artist
    .command("ban")
    .description("ban an artist with all posts; prints id, name and is_banned")
    .argument("<id>", "id of the artist", idOf("an artist"))
    .action(change("ban"));
  artist
    .command("unban")
    .description("lift the ban of an artist and of their posts")
    .argument("<id>", "id of the artist", idOf("an artist"))
    .action(change("unban"));
}
