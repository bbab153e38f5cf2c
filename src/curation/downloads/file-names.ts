import { cleanText } from '../../text.ts';

/**
 * Bytes of UTF-8 that one title may take in a name. A file can hold the title twice in its path, and beside it what a
 * layout adds: so paths stay short enough for Windows, and names for encrypted file systems, which take 143 bytes.
 */
const longestTitle = 96;

// What Windows, macOS or a network share takes for something else than a letter of a name.
const unfit = /["*<>?]/g;
const separators = /[/\\|]/g;
// Joiners stay: Persian and emoji are spelt with them.
const hidden = /[\p{Cc}\p{Cs}\p{Co}\ufdd0-\ufdef\ufffe\uffff]|(?![\u200c\u200d])\p{Cf}/gu;

// Windows takes these for devices in every folder, with any extension, and with spaces before it.
const device =
  /^(con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?=\s*(?:\.|$))/i;

/**
 * A title as a part of a file's name that every file system takes and keeps: NFC, without control, direction and
 * hidden characters, without what separates paths, no device's name, no dots or spaces at its ends. Null where nothing
 * of it is left, as of `..`.
 */
export function nameOf(title: string, longest = longestTitle): string | null {
  const text = cleanText(title)
    .replace(/\s+/g, ' ')
    .replace(hidden, '')
    .normalize('NFC')
    .replace(/\s*:\s+/g, ' - ')
    .replace(/:/g, '-')
    .replace(separators, '-')
    .replace(/["\u201c\u201d]/g, "'")
    .replace(unfit, '')
    .replace(/ +/g, ' ');
  const name = withoutEnds(cutBytes(withoutEnds(text), longest));
  return name === '' ? null : name.replace(device, '$1_');
}

/** Whether a name can stand as it is: what a person names is refused rather than changed. */
export function isSafeName(name: string): boolean {
  return name === nameOf(name, 240);
}

/** What two names have in common that some file system takes for one: letters of another case, or otherwise composed. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFC');
}

function withoutEnds(text: string): string {
  return text.replace(/^[\s.]+|[\s.]+$/g, '');
}

/** Whole characters as a person sees them, of at most so many bytes. */
function cutBytes(text: string, longest: number): string {
  if (Buffer.byteLength(text) <= longest) return text;
  let kept = '';
  let bytes = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    bytes += Buffer.byteLength(segment);
    if (bytes > longest) break;
    kept += segment;
  }
  return kept;
}
