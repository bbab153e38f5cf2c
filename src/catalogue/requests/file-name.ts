import { z } from 'zod';

// Printable ASCII, without what a header, a path, a shell or a percent-decoding server would read as more
// than a letter, and without the white space at the ends that every HTTP parser takes away.
const safe = /^(?! )[\x20-\x7e]{1,200}(?<! )$/;
const risky = /["%*/:;<>?\\|]/;

/** A file name that stands in `X-Upload-Filename` as it is declared: how others are encoded is not shown. */
export const uploadFilename = z
  .string()
  .refine((name) => isSafe(name), 'can not stand in a header as it is')
  .brand<'UploadFilename'>();

export type UploadFilename = z.output<typeof uploadFilename>;

export interface SafeFilename {
  readonly filename: UploadFilename;
  /** It is not what was given, which should be told. */
  readonly changed: boolean;
}

const longest = 200;
const longestExtension = 16;

/**
 * The name to declare for a file of this name: accents fall away, every run of what can't stay becomes one
 * `_`, and what is too long loses its middle, never its extension. The same name always gives the same.
 */
export function safeFilename(name: string): SafeFilename {
  if (isSafe(name)) return { filename: uploadFilename.parse(name), changed: false };
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]+|["%*/:;<>?\\|]+/g, '_')
    .replace(/^[ .]+|[ .]+$/g, '');
  const extension = /\.[A-Za-z0-9]+$/.exec(plain)?.[0] ?? '';
  const kept = extension.length <= longestExtension ? extension : '';
  const stem = plain.slice(0, plain.length - kept.length).replace(/[ .]+$/, '');
  const shortened = stem.slice(0, longest - kept.length).replace(/[ .]+$/, '');
  return { filename: uploadFilename.parse(`${shortened === '' ? 'file' : shortened}${kept}`), changed: true };
}

function isSafe(name: string): boolean {
  return safe.test(name) && !risky.test(name) && !/^\.|\.$/.test(name);
}
