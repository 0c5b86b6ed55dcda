/** URLs as they are logged. */
import { describe, expect, it } from "vitest";
import { redactUrl } from "../../src/runtime/telemetry/log.js";

describe("redactUrl", () => {
  it.each([
    ["/posts.json", "/posts.json"],
    ["/posts.json?tags=a+b&limit=2", "/posts.json?tags=a+b&limit=2"],
    ["/posts.json?login=alma&api_key=KEY", "/posts.json?login=alma&api_key=[redacted]"],
    ["/posts.json?api_key=a?b=KEY&x=1", "/posts.json?api_key=[redacted]&x=1"],
    ["/posts.json?api_key=KEY=KEY", "/posts.json?api_key=[redacted]"],
    [
      "/a?user[password]=P&user%5Bpassword_confirmation%5D=P",
      "/a?user[password]=[redacted]&user%5Bpassword_confirmation%5D=[redacted]",
    ],
    ["/a?%61pi_key=KEY&API_KEY=KEY&csrf_token=T", "/a?%61pi_key=[redacted]&API_KEY=[redacted]&csrf_token=[redacted]"],
    ["/graphql?variables=%7B%22password%22%3A%22P%22%7D", "/graphql?variables=[redacted]"],
    ["/a?%E0%A4%A=1&%password=P&%=2", "/a?%E0%A4%A=1&%password=[redacted]&%=2"],
    ["/a?", "/a?"],
    ["/dmails.json?search[message_matches]=words&b", "/dmails.json?[redacted]"],
    ["/%64mails.json?page=2", "/%64mails.json?[redacted]"],
    ["/graphql?query=%7Bdmails%7D&operationName=A", "/graphql?[redacted]"],
  ])("%s", (url, redacted) => {
    expect(redactUrl(url)).toBe(redacted);
  });
});
