import type { Warning } from '../evidence.ts';

export interface AboutFile {
  readonly filename: string;
  readonly sha256: string;
  readonly warnings: readonly Warning[];
}

/** How many files one warning names. */
const mostNamed = 3;

/** One warning of each kind, however many files it is about: an answer has to stay readable. */
export function gatherFileWarnings(files: readonly AboutFile[]): readonly Warning[] {
  const kinds = new Map<string, { readonly filename: string; readonly message: string }[]>();
  for (const { filename, warnings } of files) {
    for (const { code, message } of warnings) {
      kinds.set(code, [...(kinds.get(code) ?? []), { filename, message }]);
    }
  }
  const gathered = [...kinds].map(([code, about]): Warning => {
    const named = about.slice(0, mostNamed).map(({ filename, message }) => `${filename}: ${message}`);
    return { code, message: `${named.join(' ')}${andMore(about.length, 'files')}` };
  });
  return [...gathered, ...sameBytes(files)];
}

/** Most often one file was copied over another by mistake; a service may still want both. */
function sameBytes(files: readonly AboutFile[]): readonly Warning[] {
  const byDigest = new Map<string, string[]>();
  for (const { sha256, filename } of files) {
    byDigest.set(sha256, [...(byDigest.get(sha256) ?? []), filename]);
  }
  const repeated = [...byDigest.values()].filter((names) => names.length > 1);
  if (repeated.length === 0) return [];
  const named = repeated.slice(0, mostNamed).map((names) => names.slice(0, mostNamed).join(' and '));
  const message = `The same bytes are meant for several items: ${named.join('; ')}${andMore(repeated.length, 'pictures')}`;
  return [{ code: 'same_bytes', message }];
}

function andMore(count: number, what: string): string {
  return count > mostNamed ? ` And ${count - mostNamed} more ${what}.` : '';
}
