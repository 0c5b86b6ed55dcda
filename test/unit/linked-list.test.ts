import { describe, expect, it } from "vitest";
import { Link, LinkedList } from "../../src/lib/linked-list.js";

function listOf(...values: string[]): { list: LinkedList<string>; links: Link<string>[] } {
  const [list, links] = [new LinkedList<string>(), values.map((value) => new Link(value))];
  for (const link of links) list.push(link);
  return { list, links };
}

describe("a linked list", () => {
  it("has its values in the order in which they were added", () => {
    expect([...listOf().list]).toEqual([]);
    expect([...listOf("a", "b", "c").list]).toEqual(["a", "b", "c"]);
  });

  it.each([
    ["first", 0, ["b", "c"]],
    ["middle", 1, ["a", "c"]],
    ["last", 2, ["a", "b"]],
  ])("loses its %s link, which may be added again at the end", (_name, index, left) => {
    const { list, links } = listOf("a", "b", "c");
    const link = links[index] as Link<string>;
    list.remove(link);
    expect([...list]).toEqual(left);
    expect(list.size).toBe(2);
    list.push(link);
    expect([...list]).toEqual([...left, link.value]);
    expect(list.size).toBe(3);
  });

  it("is empty without its only link", () => {
    const { list, links } = listOf("a");
    list.remove(links[0] as Link<string>);
    expect([[...list], list.size]).toEqual([[], 0]);
  });
});
