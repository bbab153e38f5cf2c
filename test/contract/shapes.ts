import { z } from 'zod';

/*
 * The records of the interface document (Resources and their fields, Errors), written down from it and from nothing
 * else. Public ones are strict: they have every documented field and no other.
 */

const text = z.string();
const date = z.iso.date();
const time = z.iso.datetime();
const path = z.string().regex(/^\/(?!\/)\S+$/);
const url = z.url({ protocol: /^https?$/ });
const objects = z.array(z.looseObject({}));

/** The type of each member; any other is a text. */
const types: readonly (readonly [z.ZodType, string])[] = [
  [z.int(), 'id setId seasonNumber episodeNumber year numberOfSeasons numberOfEpisodes runtimeMinutes'],
  [z.int().min(1), 'page totalPages'],
  [z.boolean(), 'filmedForImax'],
  [date, 'firstAirDate lastAirDate airDate releaseDate firstReleaseDate latestReleaseDate birthday deathday'],
  [time, 'dateCreated dateUpdated changedAt'],
  [path.nullable(), 'poster backdrop logo squareArt thumb titlecard cover hero wideCover background'],
  [path.nullable(), 'squareCover icon nextPage'],
  [url, 'homepage'],
  [z.array(text), 'publishers genres path'],
  [z.uuid(), 'assetId previousAssetId newAssetId snapshot'],
  [z.enum(['added', 'updated']), 'changeType'],
  // The document shows no element of these.
  [z.array(z.unknown()), 'engines'],
  [objects, 'posters backdrops logos squareArts thumbs titlecards covers heroes wideCovers backgrounds'],
  [objects, 'squareCovers icons'],
  [z.looseObject({}), 'parentCompany details'],
];

/** Reads `name{…}` as an object, `name[…]` as a list of objects; `?` may be null, `*` may be left out. */
function shapeOf(written: string): z.ZodType {
  const tokens = written.match(/\w+[?*]?|[{}[\]]/g) ?? [];
  const members = (within: string): z.ZodType => {
    const shape: Record<string, z.ZodType> = {};
    for (let token = tokens.shift(); token !== undefined && /\w/.test(token); token = tokens.shift()) {
      const name = token.replace(/\W/, '');
      const open = /[{[]/.test(tokens[0] ?? '') ? tokens.shift() : '';
      const known = types.find(([, names]) => names.split(' ').includes(name))?.[0] ?? text;
      const type = open ? members(name) : within === 'metadataImages' ? url.nullable() : known;
      const whole = open === '[' ? z.array(type) : type;
      shape[name] = token.endsWith('?') ? whole.nullable() : token.endsWith('*') ? whole.optional() : whole;
    }
    return z.strictObject(shape);
  };
  return members('');
}

const images = 'metadataImages{poster backdrop logo}';
const media = 'posters backdrops logos squareArts';
const games = 'covers heroes logos wideCovers backgrounds squareCovers icons';
const season = 'season{id kind title seasonNumber}';
const brandSet = 'id title description? createdBy? dateCreated dateUpdated';
const set = `${brandSet} language`;
const work = 'id title year?';
const film = `${work} poster backdrop logo squareArt thumb`;
const child = 'id title createdBy? dateUpdated';
const brand = 'id name poster thumb logo';

/**
 * Each public record: its kind, its path (Public reads) and its members. `?` is also at facts for which the document
 * shows no null, and which a service may lack.
 */
const written = `
show shows: id kind title overview tagline? status year? firstAirDate? lastAirDate? numberOfSeasons
  numberOfEpisodes ${images} assets{${media} thumbs} seasons[id kind title seasonNumber airDate?] sets[${child}]
season seasons: id kind title seasonNumber airDate? metadataImages{poster} assets{posters backdrops}
  show{id kind title} episodes[id kind title episodeNumber airDate?]
episode episodes: id kind title seasonNumber episodeNumber airDate? show{id kind title} ${season}
  assets{titlecards}
movie movies: id kind title overview tagline? status releaseDate? runtimeMinutes? filmedForImax ${images}
  assets{${media} thumbs} collection?{id kind title}
collection collections: id kind title overview firstReleaseDate? latestReleaseDate? ${images} assets{${media}}
  movies[id kind title releaseDate?]
game games: id kind title summary storyline? gameType firstReleaseDate? ${images} assets{${games}}
  developers[name role] publishers engines genres platforms[name abbreviation]
  relatedGames[id kind title firstReleaseDate?]
company companies: id kind name description homepage? headquartersCountry? originCountry?
  metadataImages{logo} assets{posters thumbs logos} parentCompany?
network networks: id kind name homepage? originCountry? metadataImages{logo} assets{posters thumbs logos}
person people: id kind name biography birthday? deathday? placeOfBirth? knownForDepartment? homepage?
  metadataImages{profile} assets{posters}
category categories: id kind name description group assets{posters thumbs}
movie_set movie-set: ${set} edition boxset?{id title} movie{${film}}
show_set show-set: ${set} boxset?{id title} show{${film} seasons[id seasonNumber poster backdrop
  episodes[id episodeNumber titlecard]]}
game_set game-set: ${set} loadout?{id title}
  game{${work} cover hero logo wideCover background squareCover icon}
collection_set collection-set: ${set} edition boxset?{id title}
  collection{id title poster backdrop logo squareArt movies[${film}]}
brand_set brand-set: ${brandSet} networks[${brand}] companies[${brand}]
boxset boxsets: ${set} poster sets[${child} kind show*{${work}} movie*{${work}}]
loadout loadouts: ${set} poster sets[${child} game{${work}}]`;

export const records: ReadonlyMap<string, { readonly at: string; readonly shape: z.ZodType }> = new Map(
  [...written.matchAll(/(\w+) ([\w-]+):([^:]*?)(?=\n\w|$)/g)].map(([, kind = '', at = '', members = '']) => [
    ...([kind, { at, shape: shapeOf(members) }] as const),
  ]),
);

const change = 'kind changeType changedAt';
const link = 'previousAssetId newAssetId changedAt';
/** What is read by pages. */
export const pages: Readonly<Record<string, z.ZodType>> = {
  '/episodes': shapeOf(`data[${work} seasonNumber episodeNumber show{id kind title} ${season}]
    meta{page totalPages nextPage}`),
  '/feeds/assets':
    shapeOf(`data[assetId slot target{id kind} previousAssetId? replacements[${link}] ${change}]
    meta{snapshot page totalPages nextPage}`),
  '/feeds/sets': shapeOf(`data[setId ${change}] meta{snapshot page totalPages nextPage}`),
};

const failure = z.strictObject({ code: text.min(1), message: text.min(1) });
export const errors = {
  public: z.strictObject({ data: z.null(), error: failure }),
  protected: shapeOf('error{code message details issues[code message path]}'),
};

const publicationStatus = z.enum(['not_required', 'pending', 'succeeded']);
const processingStatus = z.enum(['processing', 'succeeded', 'failed']);
const outcome = z.enum(['succeeded', 'partial', 'rolled_back', 'failed', 'unresolved']).nullable();
const status = {
  processingStatus,
  publicationStatus,
  retryable: z.literal(false),
  error: failure.optional(),
};
const upload = z.strictObject({ clientMutationId: z.uuid(), assetId: z.uuid().nullable(), ...status });
const facts = { updatedAt: time, languageCode: text.nullable(), editionId: z.int().nullable() };
const items = z.array(z.looseObject({ itemId: z.uuid(), status: text }));
const submission = z.looseObject({ submissionId: z.uuid(), outcome, items });
const data = (shape: z.ZodType) => z.strictObject({ data: shape });
/** What protected operations answer when they succeed (Protected-side records); the first that matches holds. */
export const answers: readonly (readonly [RegExp, z.ZodType])[] = [
  [/^GET .me.assets/, data(z.looseObject({ id: z.uuid(), ...facts }))],
  [/^GET .me.(sets|groups)/, data(z.looseObject({ id: z.int(), updatedAt: time }))],
  [/^GET .me.asset-uploads/, data(upload)],
  [/^GET .me.(relationships|upload-destinations)/, data(objects)],
  [/.me.set-up|.updates$/, z.looseObject({ submission })],
  [/^POST .me.relationships/, data(z.looseObject({}))],
  [/^POST /, data(z.looseObject({ publicationStatus }))],
];
