/** Texts of the demo board. Posts are counted from 0 in the order of `posts.ts`. */

/** The last record that is created; if it exists, the demo is complete. */
export const LAST_TOPIC = "What would you like to see next?";

/** Artists with their other names and URLs. */
export const artists = [
  { name: "lumen_(painter)", others: "lumen, la_lumière", urls: "https://gallery.example/lumen" },
  { name: "orbit_studio", others: "orbit", urls: "https://orbit.example https://gallery.example/orbit" },
  { name: "ink_and_tea", others: "inktea", urls: "https://inkandtea.example" },
] as const;

/** antecedent, consequent */
export const aliases = [
  ["ocean", "sea"],
  ["mountains", "mountain"],
] as const;
/** antecedent, consequent */
export const implications = [
  ["night_sky", "sky"],
  ["blue_sky", "sky"],
  ["orange_sky", "sky"],
  ["pink_sky", "sky"],
] as const;

/** Wiki pages that link to each other. */
export const wikiPages = [
  {
    title: "landscape",
    body: "h4. Landscape\n\nA wide view of the land: a [[mountain]], the [[sea]], a [[forest]] or a [[cityscape|city]].\n\nUsually tagged together with {{scenery no_humans}}.",
  },
  {
    title: "sea",
    body: "Salt water as far as one sees. Once called [[ocean]].\n\nh4. See also\n\n* [[boat]]\n* [[landscape]]",
  },
  {
    title: "lantern_city",
    body: "The city in which [[ada_(lantern_city)|Ada]], [[bruno_(lantern_city)|Bruno]] and [[cleo_(lantern_city)|Cleo]] live. Its lights are in pool #1.",
  },
  {
    title: "ada_(lantern_city)",
    body: "She reads a lot and owns [[glasses]]. Lives in [[lantern_city]] next to [[cleo_(lantern_city)]].",
  },
  { title: "abstract", body: "A picture of nothing in particular: [[tiles]], [[rings]], [[waves]] or [[rays]]." },
] as const;

/** Comments, in the order in which they are written. */
export const comments = [
  { by: "lumen", post: 0, body: "The light came out better than in the sketch." },
  { by: "halden", post: 0, body: "Those caps of snow! [quote]better than in the sketch[/quote] Agreed." },
  { by: "wren", post: 1, body: "Where is the boat going?" },
  { by: "lumen", post: 1, body: "Home, I think." },
  { by: "halden", post: 20, body: "This would make a good bathroom floor." },
  { by: "wren", post: 38, body: "All three in one picture at last. See also post #37." },
] as const;

/** Boxes in parts of the picture's width and height. */
export const notes = [
  { by: "wren", post: 1, box: [0.4, 0.55, 0.2, 0.2], body: "The ship's name is <i>Patience</i>." },
  { by: "lumen", post: 30, box: [0.3, 0.2, 0.4, 0.35], body: "Ada" },
  { by: "lumen", post: 38, box: [0.12, 0.3, 0.22, 0.4], body: "Ada" },
  { by: "lumen", post: 38, box: [0.39, 0.3, 0.22, 0.4], body: "Bruno" },
  { by: "lumen", post: 38, box: [0.66, 0.3, 0.22, 0.4], body: "Cleo" },
] as const;

/** Two pools, one of each category. */
export const pools = [
  {
    name: "Lantern_City_in_four_lights",
    category: "series",
    posts: [3, 8, 13, 18],
    text: "One city at sunset, by day, in winter and at dawn.",
  },
  { name: "Bathroom_floors", category: "collection", posts: [20, 24, 28], text: "Tiles, in the best sense." },
] as const;

/** child, parent */
export const families = [
  [5, 0],
  [10, 0],
  [39, 38],
] as const;

/** Topics of the forum with their replies. */
export const topics = [
  {
    by: "halden",
    title: "Welcome to the demo board",
    body: "Every picture here was drawn by a program. Start with [[landscape]].",
    replies: ["Hello!"],
  },
  {
    by: "lumen",
    title: "How to tag the light",
    body: "I suggest dawn, sunset and night, and the colour of the sky.",
    replies: ["And {{sky}} is implied."],
  },
  { by: "wren", title: LAST_TOPIC, body: "More boats, please.", replies: [] },
] as const;

/** Who likes which posts. */
export const favorites = { lumen: [1, 20, 38], wren: [0, 1, 6, 38], halden: [1, 4, 38] } as const;
/** Upvotes. */
export const votes = { lumen: [20, 30], halden: [0, 1, 21, 38], wren: [1, 8] } as const;
/** The post that is flagged. */
export const flagged = { by: "wren", post: 29, reason: "Only a study; the finished picture is post #26." } as const;
