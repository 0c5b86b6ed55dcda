/** A text that the server has rendered as HTML. The only place of the pages that creates elements from text. */
import { useMemo } from "preact/hooks";
import "./prose.css";

interface Policy {
  createHTML(html: string): string;
}
const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } };
const rules: Policy = { createHTML: (html) => html };
const policy = trustedTypes?.createPolicy("dtext", rules) ?? rules;

/** @param html the value of a field of the schema whose name ends with `Html` */
export function Prose({ html }: { html: string }) {
  const content = useMemo(() => ({ __html: policy.createHTML(html) }), [html]);
  return <div class="Prose" dir="auto" dangerouslySetInnerHTML={content} />;
}
