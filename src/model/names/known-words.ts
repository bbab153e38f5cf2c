import type { Role } from './name.ts';

// Words that names hold for other reasons than to say what a picture is of. "_" stands for the blank between two words.

const wordsIn = (text: string) =>
  text
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll('_', ' '));

/** Whole names that stand for the poster of what the folder is for. */
export const posterNames: ReadonlySet<string> = new Set(wordsIn('show movie default film'));

/** Said of a recording alone: behind one of these a name goes on with more of them, and with who made it. */
export const releases: readonly string[] = wordsIn(`
  480p 540p 576p 720p 1080p 1080i 1440p 2160p 4320p
  bluray blu_ray bdrip brrip webrip web_rip webdl web_dl hdtv dvdrip hdrip
  x264 x265 h264 h_264 h265 h_265 hevc xvid divx av1 10bit 8bit
  ac3 eac3 ddp ddp5 flac truehd dd5 amzn dsnp hmax atvp
`);

/** Said of a recording where one of the above stands in the name; a title may hold such a word. */
export const besideReleases: ReadonlySet<string> = new Set(
  wordsIn('remux proper repack internal avc dts aac atmos nf hulu max bd web dvd multi'),
);

const cuts =
  'directors final extended theatrical assembly ultimate special collectors anniversary international unrated limited deluxe criterion';
const editions = wordsIn(cuts).flatMap((cut) => [`${cut} cut`, `${cut} edition`, `${cut} version`]);

const words: Readonly<Record<'noise' | 'version' | 'doubt' | 'language', readonly string[]>> = {
  /** What a picture is like, and which programs it is for. */
  noise: [
    ...releases,
    ...editions,
    ...wordsIn(`
      textless no_text notext fhd uhd hq lq hdr sdr 2k 4k 5k 8k hires high_res highres high_quality
      jpg jpeg png webp gif new_folder
      mediux tpdb theposterdb kometa pmm plex jellyfin emby kodi tcm titlecardmaker fanarttv tmdb tvdb imdb
      steamgriddb tvshow tvshows
    `),
  ],
  /** Which of several it is, and what became of it. Works may be called so too. */
  version: wordsIn(`
    final finals finished done v1 v2 v3 v4 v5 v6 v7 v8 v9 version ver
    update updated fixed edit edited custom clean plain untouched cropped retouched untitled main
    export exports exported output outputs render renders rendered upload uploads uploaded download downloads
    complete upscaled upscale resized compressed optimized optimised
    img image images photo photos scan scans frame frames pic pics picture pictures artwork artworks asset assets
    set sets pack collection show shows series season seasons tv television hd sd
    edition imax extended uncut unrated theatrical remastered remaster anniversary
  `),
  /** Said of a picture that is perhaps not meant to be used. */
  doubt: wordsIn(`
    old wip draft drafts unused rejected backup backups bak test tests temp tmp placeholder template templates
    sample samples mockup mockups bin trash recycled archive archived deprecated alt alts alternate alternates
    alternative alternatives variant variants unfinished discarded source sources preview previews
    do_not_use not_used dont_use season_all
  `),
  /** Codes and names of languages. */
  language: wordsIn(`
    en eng english de ger deu german deutsch fr fre fra french francais es spa spanish espanol castellano
    it ita italian italiano pt por portuguese portugues nl dut dutch nederlands sv swe swedish svenska
    ja jpn japanese ko kor korean
  `),
};

const roles = new Map(
  (['noise', 'version', 'doubt', 'language'] as const).flatMap((role) =>
    words[role].map((word) => [word, role] as const),
  ),
);

/** Sizes, rates, versions (1920x1080, 720p, v2, 4k, 2x), and what services name their copies by. */
const measures = /^(?:\d{3,5}x\d{3,5}|\d{3,4}[pi]|v\d{1,2}|\d{1,3}(?:k|bit|fps|dpi|px)|[23]x)$/;
const hashes = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{10,64}$/;
const pictograms = /^\p{Extended_Pictographic}[\p{Extended_Pictographic}\p{M}]*$/u;

/** What file managers call a copy, as `plain` writes it: numbered ones (copy2) too. */
const copies =
  /^(?:copy|kopie|copie|copia|kopia|kopi|kopio|kopya|kopija|duplicate|duplikat|duplicat|duplicado|masolat|копия|копія|αντιγραφο|コピー|副本|拷贝|복사본|사본)\d{0,2}$/u;
/** What may stand between that and the name of what was copied. */
const links = /^(?:of|von|van|de|di|do|da|du|d|af|av|aus|tiedostosta)$/;

/** Whether a word says that a copy was made. */
export function isCopy(word: string): boolean {
  return copies.test(word);
}

/** What a word, or several with single blanks between them, is there for by itself; null where that can't be told. */
export function roleOfWords(text: string): Role {
  const known = roles.get(text.replace(/^the (?=\w+ (?:cut|edition|version)$)/, ''));
  if (known !== undefined) return known;
  const [copy = '', link, ...others] = text.split(' ');
  const isMade = isCopy(copy) && others.length === 0 && (link === undefined || links.test(link));
  return isMade || [measures, hashes, pictograms].some((pattern) => pattern.test(text)) ? 'noise' : null;
}
