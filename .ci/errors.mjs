/**
 * A reporter of vitest that writes the errors outside of tests, which vitest's JSON report leaves out, to the file
 * ERRORS_FILE: a list of { file, test, error }, with the test that ran at that time or had ended, if vitest knows it.
 */
import { writeFileSync } from "node:fs";

export default class Errors {
  onTestRunEnd(_modules, errors) {
    const found = errors.map(({ VITEST_TEST_PATH: file, VITEST_TEST_NAME: test, stack, message, type }) => ({
      file,
      test,
      error: `${type ?? "Error"}: ${stack ?? message}`,
    }));
    writeFileSync(process.env.ERRORS_FILE, JSON.stringify(found));
  }
}
