// Words that names hold for other reasons than to say what a picture is of.

const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Whole names that stand for the poster of what the folder is for. */
export const posterNames = setOf('show movie default film');

/** What a picture is like, and which programs it is for. */
export const technical = setOf(`
  textless notext fhd uhd sd hq lq hdr sdr hd 2k 4k 5k 8k hires highres
  jpg jpeg png webp gif
  mediux tpdb theposterdb kometa pmm plex jellyfin emby kodi tcm titlecardmaker fanarttv tmdb tvdb imdb
  steamgriddb tv tvshow tvshows season seasons
`);

/** Those of them that a title may begin with. */
export const titleLike = setOf('tv season seasons hd sd');

/** Which of several it is, and what became of it. Works may be called so too. */
export const versions = setOf(`
  final finals finished done v1 v2 v3 v4 v5 v6 v7 v8 v9 version ver
  update updated fixed edit edited custom clean plain untouched cropped retouched untitled main
  export exports exported output outputs render renders rendered upload uploads uploaded download downloads
  complete upscaled upscale resized compressed optimized optimised
  img image images photo photos scan scans frame frames pic pics picture pictures artwork artworks asset assets set
  sets pack collection show shows series television
  edition imax extended uncut unrated theatrical remastered remaster anniversary
`);

/** Said of a recording alone: behind one of these a name goes on with more of them, and with who made it. */
export const releases = setOf(`
  480p 540p 576p 720p 1080p 1080i 1440p 2160p 4320p
  bluray bdrip brrip webrip webdl hdtv dvdrip hdrip
  x264 x265 h264 h265 hevc xvid divx av1 10bit 8bit
  ac3 eac3 ddp ddp5 flac truehd dd5 amzn dsnp hmax atvp
`);

/** Said of a recording where it stands beside one of the above; a title may hold such a word. */
export const besideReleases = setOf(
  'remux proper repack internal avc dts aac atmos nf hulu max bd web dvd multi',
);

/** Said of a picture that is perhaps not meant to be used. */
export const doubts = setOf(`
  old wip draft drafts unused rejected backup backups bak test tests temp tmp placeholder template templates
  sample samples mockup mockups bin trash recycled archive archived deprecated alt alts alternate alternates
  alternative alternatives variant variants unfinished discarded source sources preview previews
`);

/** Several words that are said of a recording alone. */
export const releasePhrases: ReadonlySet<string> = new Set(
  'web dl, web rip, blu ray, h 264, h 265'.split(', '),
);
/** Several words that say no more than one of the above. */
export const noisePhrases: ReadonlySet<string> = new Set([
  ...releasePhrases,
  ...'new folder, no text, high quality, high res'.split(', '),
]);
export const doubtPhrases: ReadonlySet<string> = new Set(
  'do not use, not used, dont use, season all'.split(', '),
);

/** Sizes, rates, versions: 1920x1080, 720p, v2, 4k, 2x. */
export const measures = /^(?:\d{3,5}x\d{3,5}|\d{3,4}[pi]|v\d{1,2}|\d{1,3}(?:k|bit|fps|dpi|px)|[23]x)$/;
/** What services name their copies by. */
export const hashes = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{10,64}$/;

/** What file managers call a copy, as `plain` writes it: numbered ones (copy2) too. */
const copies =
  /^(?:copy|kopie|copie|copia|kopia|kopi|kopio|kopya|kopija|duplicate|duplikat|duplicat|duplicado|masolat|копия|копія|αντιγραφο|コピー|副本|拷贝|복사본|사본)\d{0,2}$/u;
/** What may stand between that and the name of what was copied. */
const links = /^(?:of|von|van|de|di|do|da|du|d|af|av|aus|tiedostosta)$/;

/** Whether a word says that a copy was made. */
export function isCopy(word: string): boolean {
  return copies.test(word);
}

interface Placed {
  readonly text: string;
  readonly within: string;
}

/** How many words from words[at] on only say that a copy was made, before the name: "Copy of", "Kopie (2) von". */
export function copyAt(words: readonly Placed[], at: number): number {
  const [copy, second, third] = words.slice(at, at + 3);
  if (copy === undefined || second === undefined || !isCopy(copy.text)) return 0;
  if (links.test(second.text)) return 2;
  const isNumbered = second.within === '(' && /^\d{1,2}$/.test(second.text);
  return isNumbered && third !== undefined && links.test(third.text) ? 3 : 0;
}

/** Codes and names of languages. */
export const languages = setOf(`
  en eng english de ger deu german deutsch fr fre fra french francais es spa spanish espanol castellano it ita italian
  italiano pt por portuguese portugues nl dut dutch nederlands sv swe swedish svenska ja jpn japanese ko kor korean
`);
