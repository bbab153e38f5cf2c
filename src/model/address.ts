import { type Kind, kindMeantBy, kindNamed, type SetKind, setKindNamed } from './kinds.ts';

/** What an address or another notation names instead of a bare number. */
export interface Addressed {
  readonly kind: Kind | SetKind | null;
  readonly id: number;
  /** It is an address, which may be one of another catalogue. */
  readonly isAddress: boolean;
}

/**
 * What a text names that is no bare number: an address that ends in one (`https://…/shows/5-title`, `artwork://show/5`),
 * `show:5`, `show 5` as answers write it, or `#5`. Null for a name. "Movie 43" is one: a film is called so.
 */
export function namedByText(text: string): Addressed | null {
  const given = text.trim();
  if (given.length > longest) return null;
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(given)) return namedByAddress(given);
  const [, alone] = /^(?:id\s*[:=]?\s*)?#?\s*(\d{1,15})$/i.exec(given) ?? [];
  if (alone !== undefined) return { kind: null, id: Number(alone), isAddress: false };
  const [, word = '', number = ''] = /^\[?([a-z][a-z_]*)(?: |[:/#])(\d{1,15})\]?$/.exec(given) ?? [];
  const kind = kindOfWord(word);
  return kind === null ? null : { kind, id: Number(number), isAddress: false };
}

const longest = 2_000;

function namedByAddress(address: string): Addressed | null {
  if (!URL.canParse(address)) return null;
  const { host, pathname } = new URL(address);
  const parts = [host, ...pathname.split('/')];
  const at = parts.findLastIndex((part) => /^\d{1,15}(?![\d:.])(?:[-_].*)?$/.test(part));
  if (at < 1) return null;
  const kind = kindOfWord(parts[at - 1] ?? '') ?? kindOfWord(parts[at - 2] ?? '');
  return { kind, id: Number.parseInt(parts[at] ?? '', 10), isAddress: true };
}

function kindOfWord(part: string): Kind | SetKind | null {
  return setKindNamed(part) ?? kindNamed(part.replace(/_/g, '')) ?? kindMeantBy(part);
}
