import type { Sha256 } from './digest.ts';
import type { MediaType } from './picture.ts';

export interface WireFilename {
  /** What X-Upload-Filename and a declaration carry: printable ASCII, at most 120 characters. */
  readonly filename: string;
  /** It is not the name that the file has. */
  readonly changed: boolean;
}

const longest = 120;

/**
 * A name that any header, log and file system can carry: letters lose their marks, what has no ASCII
 * likeness becomes `_`. The same name always gives the same one, since declarations are frozen.
 */
export function wireFilename(name: string, mediaType: MediaType, sha256: Sha256): WireFilename {
  const [, stem = '', ending = ''] = /^(.*?)((?:\.(?:png|jpe?g|webp|gif))?)$/isu.exec(name) ?? [];
  const extension = ending === '' ? `.${extensions[mediaType]}` : ending;
  const words = plain(stem)
    .slice(0, longest - extension.length)
    .replace(/[ ._-]+$/, '');
  // Of a name in another script nothing may be left, and files of one folder should stay apart.
  const filename = (/[a-z0-9]/i.test(words) ? words : `artwork-${sha256.slice(0, 12)}`) + extension;
  return { filename, changed: filename !== name };
}

function plain(stem: string): string {
  return stem
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .replace(/./gsu, (letter) => likeness[letter] ?? letter)
    .replace(/[^\w !#&'()+,.=@[\]-]+/g, '_')
    .replace(/^[ ._-]+/, '');
}

const extensions: Readonly<Record<MediaType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
};

/** Letters and signs that are not a plain one with a mark. */
const likeness: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ı: 'i',
  '‐': '-',
  '‑': '-',
  '–': '-',
  '—': '-',
  '‘': "'",
  '’': "'",
  '×': 'x',
  '⁄': '-',
};
