/** A video on the page of its post. The browser itself records it. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installedVideoTools } from "../../src/media/video-tools.js";
import { startBoard, type TestBoard } from "../support/board.js";
import { noChromium, openBrowser, visit } from "../support/browser.js";

const FRAMES = 20;

/** A WebM of some frames, of which each has another colour. */
async function record(browser: Browser): Promise<Buffer> {
  const page = await browser.newPage();
  const text = await page.evaluate(async (frames) => {
    const canvas = document.body.appendChild(
      Object.assign(document.createElement("canvas"), { width: 320, height: 240 }),
    );
    const drawing = canvas.getContext("2d") as CanvasRenderingContext2D;
    const recorder = new MediaRecorder(canvas.captureStream(), { mimeType: "video/webm;codecs=vp8" });
    const parts: Blob[] = [];
    const stopped = new Promise((resolve) => recorder.addEventListener("stop", resolve));
    recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
    recorder.start();
    for (let frame = 0; frame < frames; frame += 1) {
      drawing.fillStyle = `hsl(${frame * 18} 80% 50%)`;
      drawing.fillRect(0, 0, 320, 240);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    recorder.stop();
    await stopped;
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    return btoa(String.fromCharCode(...bytes));
  }, FRAMES);
  await page.close();
  return Buffer.from(text, "base64");
}

const missing = noChromium ?? ((await installedVideoTools()) ? null : "no ffmpeg on this machine");

describe.skipIf(missing !== null)(`a video${missing ? ` (${missing})` : ""}`, () => {
  let test: TestBoard;
  let browser: Browser;
  let id: number;
  beforeAll(async () => {
    test = await startBoard();
    browser = await openBrowser();
    const file = new Blob([new Uint8Array(await record(browser))], { type: "video/webm" });
    ({ id } = await test.make.post("harbour", { file }));
  });
  afterAll(() => test[Symbol.asyncDispose]());

  it("plays, is named by its tags, and has the browser's controls", async () => {
    await using visitor = await visit(browser, test.url);
    const { page, faults } = visitor;
    await page.goto(`/posts/${id}`);
    const video = page.getByRole("figure").getByLabel("harbour");
    await expect.poll(() => video.evaluate((each: HTMLVideoElement) => each.readyState)).toBeGreaterThan(0);
    expect(await video.evaluate(({ controls, paused }: HTMLVideoElement) => ({ controls, paused }))).toEqual({
      controls: true,
      paused: true,
    });
    await video.evaluate((each: HTMLVideoElement) => each.play());
    await expect.poll(() => video.evaluate((each: HTMLVideoElement) => each.currentTime)).toBeGreaterThan(0);
    expect(faults).toEqual([]);
  });

  it("receives the arrow keys while it is focused", async () => {
    const newer = await test.make.post("harbour");
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    await page.goto(`/posts/${id}`);
    const video = page.locator("video");
    await expect.poll(() => video.evaluate((each: HTMLVideoElement) => each.readyState)).toBeGreaterThan(0);
    await video.focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("z");
    await expect.poll(() => page.getByLabel("Size").inputValue()).toBe("width");
    expect(new URL(page.url()).pathname).toBe(`/posts/${id}`);
    await page.keyboard.press("a");
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/posts/${newer.id}`);
  });

  it("that plays during a slideshow is shown until it is paused", async () => {
    const newer = await test.make.post("harbour");
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    await page.clock.install();
    await page.goto(`/posts/${id}?q=id:${id},${newer.id}+order:id`);
    const video = page.locator("video");
    await expect.poll(() => video.evaluate((each: HTMLVideoElement) => each.readyState)).toBeGreaterThan(0);
    await page.keyboard.press("s");
    await page.getByRole("button", { name: "Stop the slideshow" }).waitFor();
    await video.evaluate((each: HTMLVideoElement) => each.play());
    await page.clock.runFor(20_000);
    expect(new URL(page.url()).pathname).toBe(`/posts/${id}`);
    await video.evaluate((each: HTMLVideoElement) => each.pause());
    await expect
      .poll(async () => {
        await page.clock.runFor(1_000);
        return new URL(page.url()).pathname;
      })
      .toBe(`/posts/${newer.id}`);
  });

  it("shows a still when opened from a list, and the player when its response arrives", async () => {
    await using visitor = await visit(browser, test.url);
    const { page, faults } = visitor;
    await page.goto("/");
    const tile = page.getByRole("link", { name: new RegExp(`^Post ${id}:`) });
    await tile.locator("img").evaluate((picture: HTMLImageElement) => picture.decode());
    let answer = () => undefined as void;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    await page.route(/\/graphql$/, async (route) => {
      await answered;
      await route.continue();
    });
    await tile.click();
    const still = page.getByRole("article").getByRole("img", { name: "harbour" });
    await still.waitFor();
    expect(await page.getByRole("article").getAttribute("aria-busy")).toBe("true");
    expect(await still.getAttribute("src")).toMatch(/\/data\/(preview|360x360)\//);
    answer();
    await expect.poll(() => page.getByRole("article").getAttribute("aria-busy")).toBe("false");
    await expect
      .poll(() => page.locator("video").evaluate((each: HTMLVideoElement) => each.readyState))
      .toBeGreaterThan(0);
    expect(faults).toEqual([]);
  });
});
