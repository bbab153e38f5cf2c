/** Slots as the interface document writes them in Set responses, with the name of their `assets` array. */
export const assetArrays = {
  poster: 'posters',
  backdrop: 'backdrops',
  logo: 'logos',
  squareArt: 'squareArts',
  thumb: 'thumbs',
  titlecard: 'titlecards',
  cover: 'covers',
  hero: 'heroes',
  wideCover: 'wideCovers',
  background: 'backgrounds',
  squareCover: 'squareCovers',
  icon: 'icons',
} as const;

export type Slot = keyof typeof assetArrays;

/** Which slots an entity has: those that its record in the interface document lists under `assets`. */
export const slotsOf = {
  show: ['poster', 'backdrop', 'logo', 'squareArt', 'thumb'],
  season: ['poster', 'backdrop'],
  episode: ['titlecard'],
  movie: ['poster', 'backdrop', 'logo', 'squareArt', 'thumb'],
  collection: ['poster', 'backdrop', 'logo', 'squareArt'],
  game: ['cover', 'hero', 'logo', 'wideCover', 'background', 'squareCover', 'icon'],
  company: ['poster', 'thumb', 'logo'],
  network: ['poster', 'thumb', 'logo'],
  person: ['poster'],
  category: ['poster', 'thumb'],
} as const satisfies Record<string, readonly Slot[]>;

export type EntityKind = keyof typeof slotsOf;

/** Which `metadataImages` an entity has; episodes and categories have none. */
export const metadataImagesOf = {
  show: ['poster', 'backdrop', 'logo'],
  season: ['poster'],
  movie: ['poster', 'backdrop', 'logo'],
  collection: ['poster', 'backdrop', 'logo'],
  game: ['poster', 'backdrop', 'logo'],
  company: ['logo'],
  network: ['logo'],
  person: ['profile'],
} as const satisfies Partial<Record<EntityKind, readonly (Slot | 'profile')[]>>;

export type PicturedKind = keyof typeof metadataImagesOf;
