import { type LookupAddress, promises as dns } from "node:dns";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";

/** Longest resolution of a name, in milliseconds: two questions to a name server that loses the first. */
const RESOLVE_MS = 5_000;
const QUESTION_MS = 2_000;

interface ResolverOptions {
  /** name servers; by default those of /etc/resolv.conf */
  servers?: readonly string[];
  /** the file with the machine's own names */
  hosts?: string;
  /** longest resolution, in milliseconds */
  longestMs?: number;
}

/**
 * Resolves names that users give, with a deadline. `dns.lookup` has none: each name that no server answers keeps, for many seconds, one of
 * the two threads that resolve the names of the database, Redis and the store of files too.
 * Names in the hosts file have their addresses there; others are those of the name servers, without search domains.
 * @returns resolves all addresses of a name @throws ErrnoException as `dns.resolve4` does; `ETIMEOUT` after the deadline
 */
export const nameResolver =
  ({ servers, hosts = "/etc/hosts", longestMs = RESOLVE_MS }: ResolverOptions = {}) =>
  async (name: string): Promise<LookupAddress[]> => {
    const own = ownAddresses(await readFile(hosts, "utf8").catch(() => ""), name);
    return own.length > 0 ? own : asked(name, longestMs, servers);
  };

/** The addresses of a name in the text of a hosts file: lines of an address and its names. */
function ownAddresses(text: string, name: string): LookupAddress[] {
  const wanted = comparable(name);
  return text.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    const family = isIP(address);
    return family !== 0 && names.some((each) => comparable(each) === wanted) ? [{ address, family }] : [];
  });
}

const comparable = (name: string): string => name.toLowerCase().replace(/\.$/, "");

/** Both kinds of addresses are asked for at once; one is enough. */
async function asked(name: string, longestMs: number, servers: readonly string[] | undefined) {
  const resolver = new dns.Resolver({ timeout: Math.min(QUESTION_MS, longestMs), tries: 2 }); // reads resolv.conf as it is now
  if (servers) resolver.setServers(servers);
  const deadline = setTimeout(() => resolver.cancel(), longestMs);
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = answers.flatMap((answer, index) =>
      answer.status === "fulfilled" ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
    );
    if (found.length === 0) throw failureOf(answers);
    return found;
  } finally {
    clearTimeout(deadline);
  }
}

/** A question without an answer says more than the answer that there is no address of the other kind. */
function failureOf(answers: readonly PromiseSettledResult<unknown>[]): unknown {
  const errors = answers.flatMap((answer) =>
    answer.status === "rejected" ? [answer.reason as NodeJS.ErrnoException] : [],
  );
  const unanswered = errors.find(({ code }) => code === "ETIMEOUT" || code === "ECANCELLED");
  return unanswered ? Object.assign(unanswered, { code: "ETIMEOUT" }) : errors[0];
}
