import type { Word } from './words.ts';

/** Whole names that stand for the poster of what the folder is for. */
export const posterNames: ReadonlySet<string> = new Set(['show', 'movie', 'default', 'film']);

/** What a picture is like, and which programs it is for: never the name of a work. A language is none either (`languageNamed`). */
const technical = `
  textless notext hd fhd uhd sd hq lq hdr sdr 2k 4k 5k 8k hires highres
  jpg jpeg png webp gif
  mediux tpdb theposterdb kometa pmm plex jellyfin emby kodi tcm titlecardmaker fanarttv tmdb tvdb imdb
  steamgriddb tv tvshow season seasons
`;

/** Which of several it is, and what became of it. Works may be called so too. */
const ofVersions = `
  final finals finished done v1 v2 v3 v4 v5 v6 v7 v8 v9 version ver
  update updated fixed edit edited custom clean plain untouched cropped retouched untitled main
  export exports exported output outputs render renders rendered upload uploads uploaded download downloads
  upscaled upscale resized compressed optimized optimised
  img image images photo photos scan scans frame frames pic pics picture pictures artwork artworks asset assets set sets pack collection
  show shows series television
  edition imax extended uncut unrated theatrical remastered remaster anniversary
`;

/** What is said of a recording: after one of these a name goes on with more of them, and with who made it. */
const ofReleases = `
  480p 540p 576p 720p 1080p 1080i 1440p 2160p 4320p
  bluray bdrip brrip webrip webdl hdtv dvdrip hdrip remux proper repack internal
  x264 x265 h264 h265 avc hevc xvid divx av1 10bit 8bit
  dts aac ac3 eac3 ddp ddp5 flac truehd atmos dd5 amzn nf dsnp hmax hulu atvp
`;

/** Said of a picture that is perhaps not meant to be used. */
const ofDoubt = `
  old wip draft drafts unused rejected backup backups bak test tests temp tmp placeholder template templates
  sample samples mockup mockups bin trash recycled archive archived deprecated alt alts alternate alternates
  alternative alternatives variant variants unfinished discarded source sources preview previews
`;

const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

export const noise: ReadonlySet<string> = setOf(technical);
export const versions: ReadonlySet<string> = setOf(ofVersions);
export const releaseTags: ReadonlySet<string> = setOf(ofReleases);
export const doubts: ReadonlySet<string> = setOf(ofDoubt);

/** Several words that say no more than one of the above. */
export const noisePhrases: ReadonlySet<string> = new Set(
  'new folder, no text, web dl, web rip, blu ray, high quality, high res, h 264, h 265, 5 1, 7 1, 2 0'.split(
    ', ',
  ),
);
export const doubtPhrases: ReadonlySet<string> = new Set(
  'do not use, not used, dont use, season all'.split(', '),
);

/** What file managers call a copy, as `plain` writes it: numbered ones (copy2) too. */
const copies =
  /^(?:copy|kopie|copie|copia|kopia|kopi|kopio|kopya|kopija|duplicate|duplikat|duplicat|duplicado|masolat|копия|копія|αντιγραφο|コピー|副本|拷贝|복사본|사본)\d{0,2}$/u;
/** What may stand between that and the name of what was copied. */
const links = /^(?:of|von|van|de|di|do|da|du|d|af|av|aus|tiedostosta)$/;

/** Whether a word says that a copy was made. */
export function isCopy(word: string): boolean {
  return copies.test(word);
}

/**
 * How many words from words[at] on only say that a copy was made: "Copy of", "Kopie (2) von". Null where they don't;
 * "copy" behind a name is a word of its own.
 */
export function copyAt(words: readonly Pick<Word, 'text' | 'within'>[], at: number): number | null {
  const [copy, second, third] = words.slice(at, at + 3);
  if (copy === undefined || !isCopy(copy.text)) return null;
  if (second !== undefined && links.test(second.text)) return 2;
  const isNumbered = second?.within === '(' && /^\d{1,2}$/.test(second.text);
  if (!isNumbered || third === undefined) return null;
  return links.test(third.text) ? 3 : null;
}
