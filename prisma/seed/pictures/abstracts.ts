/** Abstract pictures: tiles, rings, waves, rays. */
import type { Scene } from "./landscapes.js";
import { circle, path, picture, polygon, rect, smooth, type Point } from "./svg.js";

const colours = ({ palette }: Scene): readonly string[] => [
  ...palette.layers,
  palette.accent,
  palette.light,
  palette.sky[1],
];

function tiles(scene: Scene): string {
  const { width, height, dice } = scene;
  const size = Math.max(width, height) / 8;
  const tile = (x: number, y: number): string => {
    const [ground, figure, inner] = [dice.of(colours(scene)), dice.of(colours(scene)), dice.of(colours(scene))];
    const quarter = `M${x} ${y}L${x + size} ${y}A${size} ${size} 0 0 1 ${x} ${y + size}Z`;
    const kinds = [
      path(quarter, figure),
      circle(x + size / 2, y + size / 2, size * 0.38, figure) + circle(x + size / 2, y + size / 2, size * 0.16, inner),
      polygon(
        [
          [x, y],
          [x + size, y + size],
          [x, y + size],
        ],
        figure,
      ),
      path(`M${x} ${y + size / 2}A${size / 2} ${size / 2} 0 0 1 ${x + size} ${y + size / 2}Z`, figure),
    ];
    return rect(x, y, size + 0.5, size + 0.5, ground) + dice.of(kinds);
  };
  let all = "";
  for (let y = 0; y < height; y += size) for (let x = 0; x < width; x += size) all += tile(x, y);
  return all;
}

function rings(scene: Scene): string {
  const { width, height, palette, dice } = scene;
  const ring = (x: number, y: number, r: number): string =>
    [1, 0.82, 0.64, 0.46, 0.28]
      .map((part, index) => circle(x, y, r * part, colours(scene)[(index * 3 + dice.below(3)) % 7] ?? "", "0.9"))
      .join("");
  const spots: Point[] = [
    [0.28, 0.36],
    [0.74, 0.26],
    [0.56, 0.74],
    [0.12, 0.86],
    [0.94, 0.8],
  ];
  const all = spots.map(([x, y]) => ring(width * x, height * y, Math.min(width, height) * dice.between(0.14, 0.36)));
  return rect(0, 0, width, height, palette.sky[2]) + all.join("");
}

function waves(scene: Scene): string {
  const { width, height, palette, dice } = scene;
  const bands = Array.from({ length: 9 }, (_, band) => {
    const points = Array.from({ length: 9 }, (_unused, index): Point => [
      ((index - 1) / 6) * width,
      height * (0.12 + band * 0.1) + height * 0.07 * (index % 2 ? 1 : -1) * dice.between(0.5, 1.3),
    ]);
    return path(
      `${smooth(points)}L${width * 1.4} ${height * 1.1}L${-width * 0.3} ${height * 1.1}Z`,
      [...palette.sky, palette.accent, palette.calm, ...palette.layers][band] ?? "",
    );
  });
  return rect(0, 0, width, height, palette.light) + bands.join("");
}

function rays(scene: Scene): string {
  const { width, height, palette, dice } = scene;
  const [x, y, far] = [width * dice.between(0.35, 0.65), height * dice.between(0.5, 0.7), width + height];
  const count = 28;
  const ray = (index: number): string => {
    const [from, to] = [index, index + 1].map((at) => (at / count) * 2 * Math.PI) as [number, number];
    const edge = (angle: number): Point => [x + Math.cos(angle) * far, y + Math.sin(angle) * far];
    return polygon([[x, y], edge(from), edge(to)], index % 2 ? palette.sky[1] : palette.sky[2]);
  };
  const all = Array.from({ length: count }, (_, index) => ray(index)).join("");
  const r = Math.min(width, height);
  return (
    all +
    circle(x, y, r * 0.3, palette.light) +
    circle(x, y, r * 0.24, palette.accent) +
    circle(x, y, r * 0.12, palette.layers[3])
  );
}

const MOTIFS = { tiles, rings, waves, rays };

/** What an abstract picture is made of. */
export type Abstract = keyof typeof MOTIFS;

/** Draws one. */
export const drawAbstract = (motif: Abstract, scene: Scene): string => picture(scene, "", MOTIFS[motif](scene));
