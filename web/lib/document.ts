/** A document of GraphQL, as `codegen.mjs` writes it: its text, and the SHA-256 by which the server knows it. */
export interface Document<Result, Variables> {
  readonly name: string;
  readonly hash: string;
  readonly text: string;
  /** for the compiler alone */
  readonly types?: (variables: Variables) => Result;
}
