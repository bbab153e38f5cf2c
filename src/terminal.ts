/**
 * The one way to a person's terminal, for what commands print and what is logged. Any of it may quote what others wrote,
 * so each line is made harmless. stdout is for a command's answer, stderr for everything else.
 */

/** Writes a line to stdout. */
export function printLine(line: string): void {
  printLines([line]);
}

export function printLines(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${harmless(line)}\n`).join(''));
}

let isHeard = false;

/** Writes a line to stderr. Nobody may read it, and there is no other place to say so: the work goes on all the same. */
export function noteLine(text: string): void {
  if (!isHeard) process.stderr.on('error', () => undefined);
  isHeard = true;
  process.stderr.write(`${harmless(text)}\n`);
}

/**
 * What a terminal obeys instead of showing (control characters, also of 8 bits), what turns the direction of writing, what
 * ends a line, and what is invisible. Joiners stay, since scripts and emoji need them.
 */
const steering =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u00ad\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Writes such characters by their code, as JSON does: an answer in JSON still means the same. */
function harmless(text: string): string {
  return text.replace(steering, (character) => {
    const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
}
