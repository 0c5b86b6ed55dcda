/** The refusal of a write that asks for the viewer's password again. */
import { isWrongPassword, Problem, problemIn } from "../../lib/errors.js";

/** Names the field of the password where that is wrong. @throws Problem */
export const wrongAt =
  (field: string) =>
  (error: unknown): never => {
    const problem = problemIn(error);
    throw isWrongPassword(problem) ? new Problem(problem.message, problem.code, { [field]: ["is wrong"] }) : problem;
  };
