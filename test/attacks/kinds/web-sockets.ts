/** The WebSocket of subscriptions. */
import type { Attack } from "../attack.js";
import { many } from "../payloads.js";
import type { Channel, Target } from "../target.js";

/** More words than a document may have. */
const PADDING = `query Padding { comments(search: { id: [${"1 ".repeat(15_001)}] }) { nodes { id } } }`;

const comment = (target: Target): string =>
  `mutation Sent { createComment(input: { postId: ${target.facts.post}, body: "here I am" }) { comment { id } } } ${PADDING}`;

const QUERY = `query Sent { posts(first: 100) { totalCount nodes { id tagString } } } ${PADDING}`;

/** A channel that has said who it is. */
async function signedIn(target: Target, from = 0): Promise<Channel | null> {
  const channel = await target.webSocket({ from });
  const { name: login, apiKey: api_key } = target.member;
  return channel && (await channel.greet({ login, api_key })) ? channel : null;
}

/** A channel of nobody, which takes what comes unless it is told not to. */
async function greeted(target: Target, from = 0): Promise<Channel | null> {
  const channel = await target.webSocket({ from });
  return channel && (await channel.greet()) ? channel : null;
}

/** Does it on so many channels, each again when it has lost its one. */
const onChannels = (
  target: Target,
  count: number,
  open: (target: Target, from: number) => Promise<Channel | null>,
  work: (channel: Channel) => Promise<unknown>,
) =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => {
      while (!target.isOver) {
        const channel = await open(target, index);
        if (channel) await channel.whileOpen(work);
        await target.wait(20);
      }
    }),
  );

const NEW_POSTS = "subscription { postCreated { id } }";

export const webSockets: readonly Attack[] = [
  {
    name: "row 3: over the WebSocket, documents of more than 15,000 words",
    async send(target) {
      const channel = await signedIn(target);
      await channel?.subscribe(comment(target), { operationName: "Sent" });
      for (const query of Array<string>(20).fill(QUERY)) await channel?.subscribe(query, { operationName: "Sent" });
      await target.wait(1_500);
    },
  },
  {
    name: "row 4: on a socket from before a ban, the banned one comments",
    writes: ["bans", "users", "mod_actions", "user_feedbacks"],
    banned: true,
    async send(target) {
      const channel = await signedIn(target);
      await target.wait(1_500); // meanwhile the member is banned
      await channel?.subscribe(comment(target), { operationName: "Sent" });
      await channel?.subscribe(comment(target).replace(PADDING, ""));
      await target.wait(1_000);
    },
  },
  {
    name: "row 6: pings of 99 kB, of which no answer is read",
    seconds: 6,
    async send(target) {
      const payload = Buffer.alloc(99_000, "a");
      await onChannels(target, 8, greeted, async (channel) => {
        channel.socket.pause();
        await channel.ping(payload);
      });
    },
  },
  {
    name: "subscriptions without number, of which no answer is read",
    send: (target) =>
      onChannels(target, 8, greeted, async (channel) => {
        channel.socket.pause();
        await channel.subscribe(`{ ${"a".repeat(50_000)} }`);
      }),
  },
  {
    name: "subscriptions begun and ended at full speed",
    send: (target) =>
      onChannels(target, 8, greeted, async (channel) => {
        await channel.subscribe(NEW_POSTS, { id: "1" });
        await channel.say({ id: "1", type: "complete" });
      }),
  },
  {
    name: "greetings again and again, and messages of no kind",
    send: (target) =>
      onChannels(
        target,
        16,
        (each, from) => each.webSocket({ from }),
        async (channel) => {
          const text = [`{"type":"connection_init"}`, `{"type":"ping","payload":{"a":1}}`, "[", "1".repeat(90_000)];
          for (const each of text) await channel.say(each);
        },
      ),
  },
  {
    name: "subscriptions with ids, names and variables of 90 kB",
    send: (target) =>
      onChannels(target, 8, greeted, async (channel) => {
        await channel.subscribe(NEW_POSTS, { id: "i".repeat(90_000) + Math.random() });
        await channel.subscribe(NEW_POSTS, { variables: { [`v${"v".repeat(90_000)}`]: 1 } });
        await channel.subscribe("subscription($t: String) { postCreated(tags: $t) { id } }", {
          variables: { t: "(".repeat(90_000) },
        });
        await channel.subscribe("subscription($p: Int) { commentCreated(postId: $p) { id } }", {
          variables: { p: many(20_000, () => "x") },
        });
      }),
  },
  {
    name: "1,000 sockets that say nothing, from 50 addresses",
    async send(target) {
      await Promise.all(Array.from({ length: 1_000 }, (_, index) => target.webSocket({ from: index % 50 })));
      await target.rest();
    },
  },
  {
    name: "sockets opened and closed at full speed",
    send: (target) =>
      target.flood(16, async (turn) => {
        const channel = await target.webSocket({ from: turn % 16 });
        await channel?.say({ type: "connection_init" });
        channel?.socket.terminate();
      }),
  },
  {
    name: "frames of one byte, of nothing, and messages in 100,000 pieces",
    send: (target) =>
      onChannels(
        target,
        4,
        (each, from) => each.webSocket({ from }),
        async (channel) => {
          for (let piece = 0; piece < 1_000 && channel.isOpen; piece += 1)
            await new Promise<void>((resolve) => channel.socket.send("", { fin: false }, () => resolve()));
        },
      ),
  },
];
