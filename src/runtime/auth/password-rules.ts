/** The rules for new passwords. Existing passwords stay valid. */
import type { ValidationErrors } from "../../errors.js";
import { lengthOf } from "../../lib/text.js";

/** Length of a password in characters; the minimum is that of NIST SP 800-63B. */
const PASSWORD_MIN = 8;
const PASSWORD_MAX = 1000;

/** Whether a password is among the most common leaked ones, ignoring case. The list is loaded at the first call. */
async function isCommon(password: string): Promise<boolean> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return dictionary["passwords-common"].includes(password.toLowerCase());
}

/** Validates a new password, with errors of the field `password`. */
export async function checkPassword(
  problems: ValidationErrors,
  { password, passwordConfirmation }: { password: string; passwordConfirmation?: string | null | undefined },
): Promise<void> {
  const length = lengthOf(password);
  if (length < PASSWORD_MIN) problems.add("password", "too_short", { limit: PASSWORD_MIN });
  else if (length > PASSWORD_MAX) problems.add("password", "too_long", { limit: PASSWORD_MAX });
  else if (await isCommon(password)) problems.add("password", "too_common");
  if (typeof passwordConfirmation === "string" && passwordConfirmation !== password) {
    problems.add("password_confirmation", "mismatch");
  }
}
