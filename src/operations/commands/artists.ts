import { type Command, InvalidArgumentError } from "commander";
import { adminContext, print, withBoard } from "./command.js";

const MAX_ID = 2_147_483_647;

function artistId(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) > MAX_ID) throw new InvalidArgumentError("must be the number of an artist.");
  return Number(text);
}

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
    .argument("<id>", "number of the artist", artistId)
    .action(change("ban"));
  artist
    .command("unban")
    .description("take the ban of an artist back, from the posts too")
    .argument("<id>", "number of the artist", artistId)
    .action(change("unban"));
}
