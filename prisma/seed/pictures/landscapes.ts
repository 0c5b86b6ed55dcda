/** Landscapes: a sky, a light in it, and layers in front, darker the nearer they are. */
import type { Palette } from "./palettes.js";
import type { Dice } from "./random.js";
import { circle, gradient, path, picture, polygon, rect, type Point, type Size, smooth } from "./svg.js";

/** The parameters of a picture. */
export interface Scene extends Size {
  palette: Palette;
  dice: Dice;
}

const sky = ({ palette }: Scene): string => gradient("sky", palette.sky);

function light({ width, height, palette, dice }: Scene): string {
  const [x, y, r] = [width * dice.between(0.2, 0.8), height * dice.between(0.18, 0.36), Math.min(width, height) / 11];
  return [2.4, 1.6, 1]
    .map((grown, index) => circle(x, y, r * grown, palette.light, ["0.12", "0.2", "1"][index]))
    .join("");
}

const stars = ({ width, height, palette, dice }: Scene): string =>
  Array.from({ length: 70 }, () =>
    circle(width * dice.between(0, 1), height * dice.between(0, 0.6), dice.between(0.8, 2.4), palette.light, "0.8"),
  ).join("");

function clouds({ width, height, palette, dice }: Scene): string {
  const puff = (x: number, y: number, size: number): string =>
    [-1.5, -0.6, 0.4, 1.4]
      .map((at, index) =>
        circle(x + at * size, y - (index % 2) * size * 0.4, size * (index % 3 ? 0.9 : 0.6), palette.light, "0.5"),
      )
      .join("");
  return Array.from({ length: 3 }, (_, index) =>
    puff(width * (0.15 + index * 0.33), height * dice.between(0.1, 0.4), width * dice.between(0.02, 0.04)),
  ).join("");
}

/** A line from the left edge to the right, `rough` as part of the height. */
function ridge({ width, height, dice }: Scene, base: number, rough: number, steps: number): Point[] {
  return Array.from({ length: steps + 3 }, (_, index): Point => {
    const up = index % 2 ? rough : rough * 0.25;
    return [((index - 1) / steps) * width, height * (base - up * dice.between(0.6, 1.2))];
  });
}

const below = (d: string, { width, height }: Scene, fill: string): string =>
  path(`${d}L${width * 1.2} ${height}L${-width * 0.2} ${height}Z`, fill);

function peaks(scene: Scene): string {
  const { palette, width, height } = scene;
  const far = ridge(scene, 0.66, 0.34, 6);
  const caps = far
    .filter((_, index) => index % 2)
    .map(([x, y]) => {
      const [w, h] = [width * 0.042, height * 0.075];
      return polygon(
        [
          [x, y],
          [x + w, y + h],
          [x + w * 0.4, y + h * 0.75],
          [x, y + h * 1.1],
          [x - w * 0.45, y + h * 0.7],
          [x - w, y + h],
        ],
        palette.light,
      );
    });
  const straight = `M${far.map(([x, y]) => `${Math.round(x)} ${Math.round(y)}`).join("L")}`;
  return below(straight, scene, palette.layers[0]) + caps.join("") + hills(scene, [1, 2, 3]);
}

/** Rolling hills in the colours of these layers. */
function hills(scene: Scene, layers: readonly number[] = [0, 1, 2, 3]): string {
  return layers
    .map((layer) =>
      below(smooth(ridge(scene, 0.62 + layer * 0.11, 0.1, 5 + layer)), scene, scene.palette.layers[layer] ?? ""),
    )
    .join("");
}

function trees(scene: Scene): string {
  const { width, height, palette, dice } = scene;
  const tree = (row: number): string => {
    const [x, foot, size] = [
      width * dice.between(-0.02, 1.02),
      height * (0.74 + row * 0.1),
      height * (0.11 + row * 0.06),
    ];
    const tiers = [0, 1, 2].map((tier): string => {
      const [top, half] = [foot - size + tier * size * 0.24, size * (0.17 + tier * 0.07)];
      return polygon(
        [
          [x, top],
          [x + half, top + size * 0.42],
          [x - half, top + size * 0.42],
        ],
        palette.layers[row + 1] ?? "",
      );
    });
    return rect(x - size * 0.03, foot - size * 0.2, size * 0.06, size * 0.25, palette.layers[3]) + tiers.join("");
  };
  const rows = [0, 1, 2].map((row) => Array.from({ length: 16 - row * 4 }, () => tree(row)).join(""));
  return hills(scene, [0, 1]) + rows[0] + hills(scene, [2]) + rows[1] + hills(scene, [3]) + rows[2];
}

function sea(scene: Scene): string {
  const { width, height, palette, dice } = scene;
  const horizon = height * 0.62;
  const waves = Array.from({ length: 26 }, (_, index) => {
    const y = horizon + (height - horizon) * (index / 26) ** 1.4;
    const length = width * (0.03 + 0.004 * index);
    return rect(width * dice.between(0, 0.98), y, length, 1.5 + index * 0.12, palette.light, 2).replace(
      "/>",
      ' fill-opacity="0.45"/>',
    );
  });
  return rect(0, horizon, width, height, palette.calm) + waves.join("") + boat(scene, horizon + height * 0.12);
}

function boat({ width, height, palette, dice }: Scene, y: number): string {
  const [x, size] = [width * dice.between(0.3, 0.7), height * 0.1];
  return (
    polygon(
      [
        [x - size, y],
        [x + size, y],
        [x + size * 0.65, y + size * 0.38],
        [x - size * 0.65, y + size * 0.38],
      ],
      palette.layers[3],
    ) +
    polygon(
      [
        [x - size * 0.05, y - size * 0.1],
        [x - size * 0.05, y - size * 1.9],
        [x - size * 0.8, y - size * 0.1],
      ],
      palette.light,
    ) +
    polygon(
      [
        [x + size * 0.05, y - size * 0.1],
        [x + size * 0.05, y - size * 1.6],
        [x + size * 0.8, y - size * 0.1],
      ],
      palette.accent,
    )
  );
}

function city(scene: Scene): string {
  const { width, height, palette, dice } = scene;
  const house = (x: number, w: number, h: number, layer: number): string => {
    const windows: string[] = [];
    for (let row = 0; row < Math.floor(h / 26) - 1; row += 1)
      for (let column = 0; column < Math.floor(w / 22); column += 1)
        if (dice.below(5) < 2)
          windows.push(rect(x + 8 + column * 22, height - h + 14 + row * 26, 9, 13, palette.accent));
    return rect(x, height - h, w, h, palette.layers[layer] ?? "") + (layer > 1 ? windows.join("") : "");
  };
  return [1, 2, 3]
    .map((layer) => {
      let row = "";
      for (let x = -10; x < width;) {
        const w = dice.between(width * 0.05, width * 0.1);
        row += house(x, w, height * dice.between(0.5 - layer * 0.1, 0.72 - layer * 0.13), layer);
        x += w + (layer > 1 ? dice.between(0, 30) : 0);
      }
      return row;
    })
    .join("");
}

const MOTIFS = { peaks, hills: (scene: Scene) => hills(scene), trees, sea, city };

/** What a landscape shows. */
export type Landscape = keyof typeof MOTIFS;

/** Draws one; the sky has stars by night and clouds by day. */
export function drawLandscape(motif: Landscape, scene: Scene, dark: boolean): string {
  const above = (dark ? stars(scene) : "") + light(scene) + (dark ? "" : clouds(scene));
  return picture(scene, sky(scene), rect(0, 0, scene.width, scene.height, "url(#sky)") + above + MOTIFS[motif](scene));
}
