/** DText as HTML: the markup of comments, notes and wiki pages, none of which can run. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderDText } from "../../src/text/dtext.js";
import { processorTime } from "../support/timing.js";

describe("DText", () => {
  it.each([
    ["one\ntwo\n\nthree", "<p>one<br>two</p><p>three</p>"],
    ["[b]bold[/b] [i]leaning[/i] <s>gone</s>", "<p><strong>bold</strong> <em>leaning</em> <s>gone</s></p>"],
    ["[b]two\nlines[/b] and more", "<p><strong>two<br>lines</strong> and more</p>"],
    ["[b]ends with its block\n\nnext", "<p><strong>ends with its block</strong></p><p>next</p>"],
    ["[b]never [i]closed", "<p><strong>never <em>closed</em></strong></p>"],
    ["[/b]never begun", "<p>never begun</p>"],
    ["[b]bold[/i] still[/b]", "<p><strong>bold still</strong></p>"],
    ["h1. Large\nunder it", "<h3>Large</h3><p>under it</p>"],
    ["h5#part. Small", "<h5>Small</h5>"],
    ["* one\n** within\n* two", "<ul><li>one<ul><li>within</li></ul></li><li>two</li></ul>"],
    ["*** deep\n* less", "<ul><li>deep</li><li>less</li></ul>"],
    ["[quote]said[/quote]\nanswer", "<blockquote><p>said</p></blockquote><p>answer</p>"],
    ["[spoiler]end[/spoiler]", "<details><summary>Spoiler</summary><p>end</p></details>"],
    ["[spoiler]a[/quote]b", "<details><summary>Spoiler</summary><p>a</p><p>b</p></details>"],
    ["[code]\n[b]a < b[/b]\n[/code]", "<pre>[b]a &lt; b[/b]</pre>"],
    ["[code]\n  indented\n[/code] after", "<pre>  indented</pre><p> after</p>"],
    ["[quote]never closed", "<blockquote><p>never closed</p></blockquote>"],
    ["a<br/>b", "<p>a<br>b</p>"],
    [`a & "b" 'c'`, "<p>a &amp; &quot;b&quot; &#39;c&#39;</p>"],
    ["[quote]".repeat(9), "<blockquote>".repeat(8) + "</blockquote>".repeat(8)],
    ["[b]".repeat(33), `<p>${"<strong>".repeat(32)}${"</strong>".repeat(32)}</p>`],
  ])("%j is %s", (text, html) => {
    expect(renderDText(text)).toBe(html);
  });

  it.each([
    ["post #12", '<a href="/posts/12">post #12</a>'],
    ["comment #5", '<a href="/comments/5">comment #5</a>'],
    ["[[Long Hair]]", '<a href="/posts?tags=long_hair">Long Hair</a>'],
    ["[[long_hair|hair]]", '<a href="/posts?tags=long_hair">hair</a>'],
    ["[[long_hair|]]", '<a href="/posts?tags=long_hair">long_hair</a>'],
    ["[[s]]", '<a href="/posts?tags=s">s</a>'],
    ["[[B|bold]]", '<a href="/posts?tags=b">bold</a>'],
    ["[[[i]leaning[/i]]]", "[[<em>leaning</em>]]"],
    ["{{sea -night}}", '<a href="/posts?tags=sea%20-night">sea -night</a>'],
    ['"here":/posts/1', '<a href="/posts/1">here</a>'],
    ["{{sea \ud83d}}", '<a href="/posts?tags=sea%20%EF%BF%BD">sea \ud83d</a>'],
    ["[[\ud83d]]", '<a href="/posts?tags=%EF%BF%BD">\ud83d</a>'],
    ["@mira", '<a href="/posts?tags=user%3Amira">@mira</a>'],
    ["thanks, @j.doe-2.", 'thanks, <a href="/posts?tags=user%3Aj.doe-2">@j.doe-2</a>.'],
    [
      "@mir\u00e4, @\u30df\u30e9.",
      `<a href="/posts?tags=user%3Amir%C3%A4">@mir\u00e4</a>, <a href="/posts?tags=user%3A%E3%83%9F%E3%83%A9">@\u30df\u30e9</a>.`,
    ],
    [`@${"m".repeat(100)}`, `<a href="/posts?tags=user%3A${"m".repeat(100)}">@${"m".repeat(100)}</a>`],
    ["\u00e4@mira", "\u00e4@mira"],
    ["@mira...", '<a href="/posts?tags=user%3Amira">@mira</a>...'],
    [
      "see https://example.com/a?b=1&c=2.",
      'see <a href="https://example.com/a?b=1&amp;c=2" rel="nofollow noreferrer ugc">https://example.com/a?b=1&amp;c=2</a>.',
    ],
    [
      "'https://example.com/'",
      '&#39;<a href="https://example.com/" rel="nofollow noreferrer ugc">https://example.com/</a>&#39;',
    ],
    [
      "(see https://example.com/sea_(place)).",
      '(see <a href="https://example.com/sea_(place)" rel="nofollow noreferrer ugc">https://example.com/sea_(place)</a>).',
    ],
    [
      '("a sea":https://example.com/sea_(place))',
      '(<a href="https://example.com/sea_(place)" rel="nofollow noreferrer ugc">a sea</a>)',
    ],
    ['"name":[https://example.com/]', '<a href="https://example.com/" rel="nofollow noreferrer ugc">name</a>'],
  ])("%j is a link", (text, html) => {
    expect(renderDText(text)).toBe(`<p>${html}</p>`);
  });

  it.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"click":javascript:alert(1)',
    '"click":[javascript:alert(1)]',
    '"click"://example.com/elsewhere',
    '"click":/\\example.com/elsewhere',
    '[[x" onclick="alert(1)]]',
    '{{"><script>alert(1)</script>}}',
    "[b onmouseover=alert(1)]x[/b]",
    'https://example.com/"onmouseover=alert(1)',
    "[code]</pre><script>alert(1)</script>[/code]",
  ])("%j has no active content", (text) => {
    expectHarmless(renderDText(text));
  });

  it("never contains active content", () => {
    const piece = fc.constantFrom(
      ..."[b] [/b] [i] [quote] [/quote] [code] [/code] [spoiler] <script> </script> <img \" ' : [[ ]] {{ }} | * ** h1. \n \n\n post #1 http:// https://a.b javascript: & < > onload= / @a".split(
        " ",
      ),
      " ",
      "\n",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 40 }), (pieces) => {
        expectHarmless(renderDText(pieces.join("")));
      }),
      { numRuns: 500 },
    );
  });

  it("renders 80,000 characters of any markup quickly", async () => {
    const worst = [
      '"',
      "[[",
      "{{",
      "[quote]",
      "[/quote]x",
      "* ",
      "[b]",
      "http://.",
      "<",
      "[code]",
      "h1. ",
      "@",
      '"a":http://',
      "[code][/code]",
    ];
    const texts = worst.map((piece) => [piece, piece.repeat(80_000 / piece.length)] as const);
    const mixed = [
      ["[b] [/i]", "[b]".repeat(13_000) + "[/i]".repeat(10_000)],
      ["[code][/code] and blanks", "[code][/code]".repeat(3_077) + "\u3000".repeat(40_000)],
    ] as const;
    for (const [piece, text] of [...texts, ...mixed]) {
      const spent = await processorTime(() => renderDText(text));
      expect([piece, spent < LIMIT_MS]).toEqual([piece, true]);
    }
  });
});

/** Of the processor: 20 times what the slowest of them takes. With a cost that grows by the square, they take seconds. */
const LIMIT_MS = 400;

const ELEMENTS = /^(p|br|strong|em|u|s|small|sub|sup|h[3-6]|ul|li|blockquote|details|summary|pre|a)$/;

/** Elements of the set, closed in order, with no attribute but the address of a link, which is of this site or http(s). */
function expectHarmless(html: string): void {
  const open: string[] = [];
  for (const [whole, slash, name = "", attributes = ""] of html.matchAll(/<(\/?)([^\s>]*)([^>]*)>/g)) {
    expect([whole, ELEMENTS.test(name)]).toEqual([whole, true]);
    expect(attributes).toMatch(/^( href="(\/(?![/\\])|https?:\/\/)[^"]*"( rel="nofollow noreferrer ugc")?)?$/);
    const begun = slash ? open.pop() : name;
    expect(begun).toBe(name);
    if (!slash && name !== "br") open.push(name);
  }
  expect(open).toEqual([]);
  expect(html.replace(/<[^>]*>/g, "")).not.toMatch(/[<>]/);
}
