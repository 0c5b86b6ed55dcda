/** The forty posts: what each picture shows, how it is tagged, and who uploads it. */
import { type Abstract, drawAbstract } from "./pictures/abstracts.js";
import { drawLandscape, type Landscape } from "./pictures/landscapes.js";
import { type PaletteName, palettes } from "./pictures/palettes.js";
import { drawPortrait, type Look, type PersonName } from "./pictures/portraits.js";
import { dice } from "./pictures/random.js";

/** A post to be made. */
export interface DemoPost {
  svg: string;
  format: "png" | "jpg" | "webp";
  tags: string;
  rating: "s" | "q";
  source: string;
  uploader: "lumen" | "wren";
}

const SIZES = [
  [1280, 800],
  [960, 1280],
  [1000, 1000],
  [1600, 700],
  [720, 1080],
] as const;

const LANDSCAPES: readonly Landscape[] = ["peaks", "sea", "trees", "city", "hills"];
const LIGHTS: readonly PaletteName[] = ["dawn", "night", "autumn", "sunset", "day", "winter"];
const ABSTRACTS: readonly Abstract[] = ["tiles", "rings", "waves", "rays"];
const PORTRAITS: readonly (readonly [PersonName[], Look, string])[] = [
  [["ada"], { smiling: true }, "1girl smile"],
  [["bruno"], {}, "1boy"],
  [["cleo"], { glasses: true }, "1girl glasses"],
  [["ada"], { glasses: true }, "1girl glasses"],
  [["bruno"], { smiling: true, glasses: true }, "1boy glasses smile"],
  [["cleo"], { smiling: true }, "1girl smile"],
  [["ada", "cleo"], { smiling: true }, "2girls smile"],
  [["ada", "bruno"], {}, "1girl 1boy"],
  [["ada", "bruno", "cleo"], { smiling: true }, "2girls 1boy smile group"],
  [["bruno", "cleo"], { glasses: true }, "1girl 1boy glasses"],
];

const WORDS: Record<Landscape, string> = {
  peaks: "mountain snow",
  sea: "sea boat water",
  trees: "forest tree",
  city: "cityscape building window",
  hills: "hill meadow",
};
const HAIR: Record<PersonName, string> = { ada: "brown_hair", bruno: "black_hair", cleo: "blonde_hair" };
const LIGHT_TAGS: Record<PaletteName, string> = {
  dawn: "dawn pink_sky",
  day: "day blue_sky cloud",
  sunset: "sunset orange_sky",
  night: "night night_sky star",
  autumn: "autumn cloud",
  winter: "winter cloud",
};

/** What all kinds have in common; the number decides size, colours and format, and comes back in the source. */
function post(index: number, draw: (palette: PaletteName) => string, tags: string, light: PaletteName): DemoPost {
  return {
    svg: draw(light),
    format: (["png", "jpg", "jpg", "webp"] as const)[index % 4] ?? "png",
    tags,
    rating: index % 13 === 12 ? "q" : "s",
    source: index % 3 === 0 ? `https://gallery.example/works/${1000 + index}` : "",
    uploader: index % 8 === 7 ? "wren" : "lumen",
  };
}

function scene(index: number, palette: PaletteName) {
  const [width, height] = SIZES[index % SIZES.length] ?? SIZES[0];
  return { width, height, palette: palettes[palette], dice: dice(index + 1) };
}

function landscape(index: number): DemoPost {
  const motif = LANDSCAPES[index % LANDSCAPES.length] ?? "peaks";
  const light = LIGHTS[(index * 7 + 2 * Math.floor(index / 5)) % LIGHTS.length] ?? "day";
  const place = motif === "city" ? "copyright:lantern_city" : "copyright:quiet_valley";
  const tags = `landscape scenery no_humans ${WORDS[motif]} ${LIGHT_TAGS[light]} ${place} artist:lumen_(painter) meta:vector_art`;
  return post(
    index,
    (name) => drawLandscape(motif, scene(index + Math.floor(index / 5), name), name === "night"),
    tags,
    light,
  );
}

function abstract(index: number): DemoPost {
  const motif = ABSTRACTS[index % ABSTRACTS.length] ?? "tiles";
  const light = LIGHTS[(index * 5 + 2) % LIGHTS.length] ?? "day";
  const tags = `abstract geometric ${motif} no_humans artist:orbit_studio meta:vector_art meta:wallpaper`;
  return post(index + 20, (name) => drawAbstract(motif, scene(index + 20, name)), tags, light);
}

function portrait([who, look, tags]: (typeof PORTRAITS)[number], index: number): DemoPost {
  const light = LIGHTS[index % LIGHTS.length] ?? "day";
  const names = who.map((name) => `character:${name}_(lantern_city) ${HAIR[name]}`).join(" ");
  const all = `portrait ${tags} ${names} looking_at_viewer copyright:lantern_city artist:ink_and_tea meta:vector_art`;
  const size = who.length > 1 ? 3 * 5 : index * 5 + 4 - (index % 3);
  return post(index + 30, (name) => drawPortrait(who, { ...scene(size, name), ...wide(who.length) }, look), all, light);
}

/** Several people need a picture that is broad. */
const wide = (count: number): object => (count > 1 ? { width: 440 * count + 200, height: 820 } : {});

/** In the order in which they are uploaded: twenty landscapes, ten abstracts, ten portraits. */
export const demoPosts: readonly DemoPost[] = [
  ...Array.from({ length: 20 }, (_, index) => landscape(index)),
  ...Array.from({ length: 10 }, (_, index) => abstract(index)),
  ...PORTRAITS.map(portrait),
];
