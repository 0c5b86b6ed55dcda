import type { Command } from "commander";
import type { RelationKind } from "../../resources/tag-relations/tag-relation.records.js";
import { adminContext, print, withBoard } from "./command.js";

/** Creates an alias or implication, applies it to the posts, and prints it. */
const create = (kind: RelationKind) => (antecedentName: string, consequentName: string) =>
  withBoard(async (board) => {
    const { viewer } = await adminContext(board);
    const service = kind === "alias" ? board.tagAliases : board.tagImplications;
    const made = await service.createApproved(viewer.id ?? 0, { antecedentName, consequentName });
    await board.tagRelationApplier.apply(kind, made.id);
    const relation = (await service.byIds([made.id])).get(made.id);
    print({
      id: made.id,
      antecedent_name: made.antecedentName,
      consequent_name: made.consequentName,
      status: relation?.status,
    });
  });

/** `alias create`, `implication create`. */
export function tagRelationCommands(program: Command): void {
  for (const kind of ["alias", "implication"] as const) {
    program
      .command(kind)
      .description(`tag ${kind === "alias" ? "aliases" : "implications"}`)
      .command("create")
      .description(`create a tag ${kind} and apply it to the posts; it is active when the line is printed`)
      .argument("<antecedent>")
      .argument("<consequent>")
      .action(create(kind));
  }
}
