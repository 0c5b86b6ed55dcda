/**
 * Checks dependencies for known vulnerabilities in the registry's list (`npm audit`). Exit code 1 if a package that users install
 * has one. If the registry has no such list, like most mirrors, that is reported, and nothing is checked.
 */
import { spawnSync } from "node:child_process";

const { stdout, error } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { encoding: "utf8", timeout: 60_000 });

function reportOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const report = reportOf(stdout ?? "");
const found = report?.vulnerabilities;
if (!found) {
  const reason = error?.message ?? report?.message ?? report?.error?.summary ?? "no answer";
  console.log(`npm audit: not checked, the registry does not serve it (${String(reason).trim()})`);
} else if (Object.keys(found).length > 0) {
  for (const { name, severity, range } of Object.values(found)) console.log(`npm audit: ${name} ${range}: ${severity}`);
  process.exitCode = 1;
} else {
  console.log("npm audit: no known vulnerability");
}
