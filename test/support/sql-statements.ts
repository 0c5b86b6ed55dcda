/** Parses an SQL script into statements, in a form that rules can check. */

export interface Statement {
  /** without comments, strings and bodies, with single blanks */
  text: string;
  /** what a comment `-- safe: ...` right before it says; empty when there is none */
  safe: string;
}

/** Comments, strings, quoted bodies; what is between them is SQL itself. */
const TOKEN = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|"(?:[^"]|"")*"|;|[^-/'$";]+|[\s\S]/g;

/** The statements of a script, in order. */
export function statementsOf(script: string): Statement[] {
  const statements: Statement[] = [];
  let [text, safe] = ["", ""];
  const end = () => {
    const clean = text.replace(/\s+/g, " ").trim();
    if (clean) statements.push({ text: clean, safe });
    if (clean) safe = "";
    text = "";
  };
  for (const [token] of script.matchAll(TOKEN)) {
    if (token === ";") end();
    else if (token.startsWith("--")) safe = /^-- safe: (.+)/.exec(token)?.[1]?.trim() ?? safe;
    else if (token.startsWith("/*")) text += " ";
    else if (token.startsWith("'")) text += "''";
    else if (/^\$\w*\$/.test(token)) text += "$$";
    else text += /^"\w+"$/.test(token) ? token.slice(1, -1) : token;
  }
  end();
  return statements;
}

/** The parts of a list that commas outside of brackets make. */
export function partsOf(list: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const letter of list) {
    if (letter === "(") depth += 1;
    if (letter === ")") depth -= 1;
    if (letter === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim());
}
