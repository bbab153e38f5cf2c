/**
 * The one way to a person's terminal: all that commands print and all that is logged goes through here, line by
 * line, since any of it may quote what others wrote. stdout is a command's answer (that of the server belongs to the
 * protocol), stderr is for all else.
 */

/** One line of stdout. */
export function printLine(text: string): void {
  process.stdout.write(`${onOneLine(text)}\n`);
}

/** A piece of a line of stdout, for answers that are too long to be held at once. */
export function printPart(text: string): void {
  process.stdout.write(onOneLine(text));
}

/** Several lines of stdout, where the line ends are ours. */
export function printLines(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${onOneLine(line)}\n`).join(''));
}

/** One line of stderr. */
export function noteLine(text: string): void {
  process.stderr.write(`${onOneLine(text)}\n`);
}

/**
 * What a terminal would obey instead of showing (control characters, 8-bit ones too), what turns the direction of
 * writing, what ends a line, and what only hides something. Joiners stay: scripts and emoji need them.
 */
const steering =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u00ad\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Shows such characters by their code, as JSON does, so that an answer in JSON still means the same. */
function onOneLine(text: string): string {
  return text.replace(steering, (character) =>
    Array.from({ length: character.length }, (_, unit) => codeOf(character.charCodeAt(unit))).join(''),
  );
}

function codeOf(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

/**
 * A line of stderr that the next one takes the place of; null takes it away.
 * @returns whether stderr is a terminal: elsewhere nothing is written
 */
export function progressLine(text: string | null): boolean {
  const { isTTY, columns } = process.stderr;
  if (!isTTY) return false;
  // One that is broken over two rows could not be written over.
  const shown = text === null ? '' : [...onOneLine(text)].slice(0, Math.max(1, (columns || 80) - 1)).join('');
  process.stderr.write(`\r\u001b[2K${shown}`);
  return true;
}
