/** Colour palettes; the tag for a picture's light is the name of its palette. */

/** One scheme. All colours are `#rrggbb`. */
export interface Palette {
  /** sky, from top to horizon */
  sky: readonly [string, string, string];
  /** sun or moon */
  light: string;
  /** hills, houses, trees: from the farthest to the nearest */
  layers: readonly [string, string, string, string];
  /** what should be seen first */
  accent: string;
  /** water, and grounds of portraits */
  calm: string;
}

/** Six times of the day and the year. */
export const palettes = {
  dawn: {
    sky: ["#5b5f97", "#e08e9b", "#ffd3a5"],
    light: "#fff1d6",
    layers: ["#b8849a", "#86627f", "#5a4a68", "#332f48"],
    accent: "#ffb86b",
    calm: "#8d86ad",
  },
  day: {
    sky: ["#4a9fd8", "#8fcbe8", "#e3f4f4"],
    light: "#fffbe0",
    layers: ["#9cc3b4", "#6da38a", "#437d62", "#24543f"],
    accent: "#f2785c",
    calm: "#5fb0c9",
  },
  sunset: {
    sky: ["#432e63", "#c8504b", "#fbb03b"],
    light: "#ffe9a8",
    layers: ["#a8485a", "#7a3455", "#4c2650", "#24183a"],
    accent: "#ffd166",
    calm: "#8f4162",
  },
  night: {
    sky: ["#0b1030", "#1d2a5e", "#46508f"],
    light: "#f4f1de",
    layers: ["#2f3a70", "#232b59", "#181e42", "#0c1029"],
    accent: "#ffd97d",
    calm: "#2a3a78",
  },
  autumn: {
    sky: ["#7fa3a8", "#d9c7a0", "#f6e6c5"],
    light: "#fff7e2",
    layers: ["#d8a15d", "#c0692f", "#8a3d22", "#4a2418"],
    accent: "#d9412b",
    calm: "#7d9a94",
  },
  winter: {
    sky: ["#8aa4bf", "#bfd0dd", "#eef3f6"],
    light: "#ffffff",
    layers: ["#c5d5e0", "#9db4c6", "#6d889f", "#3b5266"],
    accent: "#d1495b",
    calm: "#a9c0d0",
  },
} satisfies Record<string, Palette>;

/** What a palette is called. */
export type PaletteName = keyof typeof palettes;
