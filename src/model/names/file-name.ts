import { isCopy } from './known-words.ts';
import { plain, wordsOf } from './words.ts';

/** Endings of pictures that can be uploaded; whether they hold one is told by their bytes, not by their name. */
const uploadable = /\.(?:png|jpe?g|jpe|jfif|webp|gif|tbn)$/i;
/** Endings of pictures that have to be exported as something else first. */
const exportable = /\.(?:apng|avif|heic|heif|bmp|tiff?|tga|ico|svg|jxl)$/i;
/** What browsers and services make of an ending: jpg_large, jpg!d, png-orig. */
const spoilt = /\.(?:png|jpe?g|webp|gif)(?:[_!:~@-][\w-]*|%\w+|\?.*|\.(?:\d+|bak|old|orig))$/i;

/** What systems and programs put beside files. */
const systemFolders =
  /^(?:\..*|__macosx|@eadir|#recycle|\$recycle\.bin|system volume information|lost\+found)$/i;
const systemFiles = /^(?:\..*|~.*|thumbs\.db|ehthumbs.*|desktop\.ini|icon\r)$/i;

/** `odd`: nothing in its name says that it is a picture, and its bytes may be one all the same. */
type FileKind = 'uploadable' | 'exportable' | 'odd' | 'junk';

/** What a file is, by its path alone. Junk is what no person means to upload. */
export function kindOfFile(path: string): FileKind {
  const parts = path.split('/');
  const name = parts.at(-1) ?? '';
  if (parts.slice(0, -1).some(isSystemFolder) || systemFiles.test(name)) return 'junk';
  if (uploadable.test(name)) return 'uploadable';
  if (exportable.test(name)) return 'exportable';
  return spoilt.test(name) || !/\.[a-z\d]{1,10}$/i.test(name) ? 'odd' : 'junk';
}

/** Whether a folder is made by the system or a program, and holds no artwork. */
export function isSystemFolder(name: string): boolean {
  return systemFolders.test(name);
}

/** The name without the ending that says what kind of file it is. */
export function stemOf(name: string): string {
  return decoded(name.replace(spoilt, '').replace(uploadable, '').replace(exportable, ''));
}

/** A name as it was before it was made a part of an address: Sherlock%20S01E02. */
export function decoded(name: string): string {
  if (/\s/.test(name) || !/%[\da-f]{2}/i.test(name)) return name;
  try {
    return decodeURIComponent(name);
  } catch {
    // Its signs are its own: 100%ab.
    return name;
  }
}

/** What cameras, telephones and scanners begin the names of their files with, before a number or a day. */
const devices =
  /^(?:img|imgp|imag|dsc|dscf|dscn|csc|mg|cimg|sam|gopr|gp|gx|gh|dji|mvimg|pano|pxl|vid|mov|mvi|hpim|pict|wp|lrm|kif|fimg|scan|scans|scn|skm|camscanner|screenshot|screenshots|screencap|screencapture|bildschirmfoto|bildschirmaufnahme|schermafbeelding|schermopname|skarmavbild|skarmbild|skjermbilde|skaermbillede|signal|telegram|whatsapp|snapchat|received|fb|inshot|picsart|vsco|скриншот|スクリーンショット|스크린샷|截屏|截图|屏幕截图)\d*$/u;
/** Words that only a day makes one of them. */
const withDay = /^(?:photo|image|picture|foto|bild|camera|capture|p|video|file|whatsapp)$/;
/** What else stands in such a name. */
const beside =
  /^(?:\d+|e\d{3,}|wa\d+|p\d+|at|um|am|pm|a|m|p|las|alle|ore|om|kl|klo|de|le|du|the|image|photo|video|img|edited|edit|bearbeitet|hdr|burst|cover|mp|night|portrait|collage|copy|n|o|h|s)$/;

const wholes = [
  // A UUID, a digest, an id of a network or a server.
  /^\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?$/,
  /^(?=.*\d)(?=.*[a-f])[0-9a-f]{16,128}$/,
  /^1\d\d_\d{4}$/,
  /^\d{9,}(?:[_-]\d{4,})*(?:[_-][no])?$/,
  // A day and a time, and nothing else.
  /^\d{8}[_-]\d{6,9}(?:[_~ -]?\(?\d{1,3}\)?)?$/,
  /^\d{4}[-._]\d{2}[-._]\d{2}[-._ t]+\d{2}[-._h:]\d{2}[-._m:]\d{2}(?:[-._ ]\d{1,3})?$/,
];

/**
 * Whether a name was given by a device or a program that knows nothing of what the picture shows: IMG_2034,
 * Screenshot 2026-01-02, a UUID. Its numbers are no season and no episode.
 * @param stem a file's name without its ending
 */
export function isDeviceName(stem: string): boolean {
  const text = plain(stem);
  if (wholes.some((pattern) => pattern.test(text))) return true;
  const [first = '', ...rest] = wordsOf(text).map((word) => word.text);
  const digits = text.replace(/\D/g, '').length;
  // A number alone counts pictures or episodes.
  const isDevice = devices.test(first) || (withDay.test(first) && digits >= 8);
  return isDevice && digits > 0 && rest.every((word) => beside.test(word) || isCopy(word));
}
