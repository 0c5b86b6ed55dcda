import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard();
});
afterAll(() => test[Symbol.asyncDispose]());

const nodeIdOf = (type: string, id: number): string => Buffer.from(`${type}:${id}`).toString("base64url");
const node = `query($nodeId: ID!) { node(nodeId: $nodeId) { nodeId __typename ... on Post { id tagString } ... on User { name } } }`;

describe("node(nodeId:)", () => {
  it("finds a record of any type by its nodeId", async () => {
    const post = await test.make.post("tree");
    const answer = await test.anonymous.graphql("query($id: Int!) { post(id: $id) { nodeId uploader { nodeId } } }", {
      id: post.id,
    });
    const { nodeId, uploader } = answer.json.data.post;
    expect([nodeId, uploader.nodeId]).toEqual([nodeIdOf("Post", post.id), nodeIdOf("User", post.uploader.id)]);
    const found = await test.anonymous.graphql(node, { nodeId });
    expect(found.json.data.node).toEqual({ nodeId, __typename: "Post", id: post.id, tagString: "lowres tree" });
    const user = await test.anonymous.graphql(node, { nodeId: uploader.nodeId });
    expect(user.json.data.node).toEqual({ nodeId: uploader.nodeId, __typename: "User", name: post.uploader.name });
  });

  it("is null for a missing record, and refuses an invalid node id", async () => {
    expect((await test.anonymous.graphql(node, { nodeId: nodeIdOf("Post", 999_999) })).json.data.node).toBeNull();
    for (const nodeId of ["", "nonsense", nodeIdOf("Query", 1), nodeIdOf("PageInfo", 1), nodeIdOf("Post", -1)]) {
      const { json } = await test.anonymous.graphql(node, { nodeId });
      expect(json.errors[0].extensions).toMatchObject({ code: "INVALID_PARAMETERS", reason: "nodeId is invalid" });
    }
  });

  it("shows no more than the query of the type itself", async () => {
    const owner = await test.make.user("Contributor");
    const { uploadId } = await test.make.post("tree", {}, owner);
    const nodeId = nodeIdOf("Upload", uploadId);
    expect((await test.anonymous.graphql(node, { nodeId })).json.errors[0].extensions.code).toBe("FORBIDDEN");
    expect((await owner.client.graphql(node, { nodeId })).json.data.node.__typename).toBe("Upload");
  });
});
