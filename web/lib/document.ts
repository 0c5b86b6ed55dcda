/** A GraphQL document as `codegen.mjs` writes it: its text, and the SHA-256 by which the server finds it. */
export interface Document<Result, Variables> {
  readonly hash: string;
  readonly text: string;
  /** for the compiler only */
  readonly types?: (variables: Variables) => Result;
}
