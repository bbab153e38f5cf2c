import { cleanText } from '../../text.ts';
import type { FileEntry } from './entries.ts';

/** How many others a warning names. */
const mostNamed = 3;

/** Tells each file that another, which is for another place, is the same to the byte: a slip more often than not. */
export function warnOfSameBytes(entries: readonly FileEntry[]): FileEntry[] {
  const alike = new Map<string, string[]>();
  for (const entry of entries) {
    if (entry.status !== 'matched' || entry.picture === null) continue;
    const { sha256 } = entry.picture;
    alike.set(sha256, [...(alike.get(sha256) ?? []), entry.path]);
  }
  return entries.map((entry) => {
    if (entry.status !== 'matched' || entry.picture === null) return entry;
    const others = (alike.get(entry.picture.sha256) ?? []).filter((path) => path !== entry.path);
    if (others.length === 0) return entry;
    const named = others.slice(0, mostNamed).map(cleanText).join('; ');
    const more = others.length > mostNamed ? ` and ${others.length - mostNamed} more` : '';
    const warning = { code: 'same_bytes', message: `It is the same to the byte as ${named}${more}.` };
    return { ...entry, warnings: [...entry.warnings, warning] };
  });
}
