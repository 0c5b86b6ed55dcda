/**
 * What vitest's JSON reports say.
 *
 *     node .ci/report.mjs again REPORT          files with failed tests, one per line, if running them again may help
 *     node .ci/report.mjs sum CHECKS FOLDER     the tests that failed, and the sum of all reports; CHECKS is the number of failed checks
 *
 * FOLDER/first has a report of each run, and FOLDER/again, under the same name, one of its files that were run again. Beside each
 * is its list of errors outside of tests, as `errors.mjs` writes it.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** More files than this have failed for a reason. */
const MOST_FILES = 5;

/** A file's JSON, or `otherwise` if it was not written to its end. */
function read(file, otherwise) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return otherwise;
  }
}

/** Errors outside of tests in a run: { file, test, error }[]. */
const errorsOf = (report) => read(report.replace(/json$/, "errors"), []);

/** A run's report, without tests if there is none. */
const reportOf = (file) => read(file, { testResults: [] });

/** Tests of a report, as "file: name". */
const testsOf = ({ testResults }, wanted) =>
  testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.filter(({ status }) => status === wanted).map(({ fullName }) => `${name}: ${fullName}`),
  );

/** Files to run again, among them those whose set-up failed, so that none of their tests ran: none if too many have failed. */
function filesAgain(report) {
  const failed = reportOf(report).testResults.filter(({ status }) => status === "failed");
  const files = new Set([...failed.map(({ name }) => name), ...errorsOf(report).map(({ file }) => file)]);
  return files.size <= MOST_FILES && !files.has(undefined) ? [...files] : [];
}

/** A run's tests: those that passed only when run again are flaky. */
function outcome(folder, name) {
  const [first, again] = ["first", "again"].map((run) => reportOf(path.join(folder, run, name)));
  const passed = testsOf(first, "passed");
  const flaky = testsOf(again, "passed").filter((test) => !passed.includes(test));
  const failed = testsOf(first, "failed").filter((test) => !flaky.includes(test));
  const errors = ["first", "again"].flatMap((run) => errorsOf(path.join(folder, run, name)));
  return { name, flaky, failed, errors, passed: passed.length + flaky.length };
}

function sum(checks, folder) {
  const all = readdirSync(path.join(folder, "first"))
    .filter((name) => name.endsWith(".json"))
    .map((name) => outcome(folder, name));
  for (const { name, errors } of all)
    for (const { test, error } of errors)
      console.log(`error outside of tests, ${name}, during or after "${test}": ${error}`);
  for (const { flaky } of all) for (const test of flaky) console.log(`flaky: ${test}`);
  for (const { failed } of all) for (const test of failed) console.log(`failed: ${test}`);
  const runs = all.filter(({ name }) => name.startsWith("node-"));
  if (runs.length < 2) console.log(`vitest wrote ${runs.length} of 2 reports`);
  const passed = runs.reduce((total, run) => total + run.passed, 0);
  const failed = runs.reduce((total, run) => total + run.failed.length, 0);
  // a failed test run is itself one of the failed checks, unless a file could not even be loaded
  const counted = runs.filter((run) => run.failed.length > 0).length;
  console.log(`${passed} passed, ${failed + Math.max(0, checks - counted)} failed`);
}

const [command, one, folder] = process.argv.slice(2);
if (command === "again") for (const file of filesAgain(one)) console.log(file);
else sum(Number(one), folder);
