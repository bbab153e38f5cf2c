/**
 * The one way to a person's terminal, for what commands print and what is logged. Any of it may quote what others wrote,
 * so each line is made harmless. stdout is for a command's answer, stderr for everything else.
 */

/** The terminal's codes that begin and end a style (ECMA-48, SGR). */
const styles = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  cyan: [36, 39],
} as const;

/** Text that a terminal shows in a style. Elsewhere it is plain. */
interface Styled {
  readonly style: keyof typeof styles;
  readonly text: string;
}

/** A line, or the parts of one. */
export type Line = string | readonly (string | Styled)[];

/** null: colours are for a terminal only. */
let colours: boolean | null = null;
/** Whether the terminal can write over a line. */
let canMove = true;

/**
 * Takes what the person wants of the terminal from the variables that many programs share (no-color.org,
 * force-color.org). As in Node, FORCE_COLOR wins over NO_COLOR.
 */
export function heedEnvironment({ FORCE_COLOR, NO_COLOR, TERM }: NodeJS.ProcessEnv): void {
  canMove = TERM !== 'dumb';
  colours = NO_COLOR ? false : null;
  if (FORCE_COLOR) colours = FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
}

/** Writes a line to stdout. */
export function printLine(line: Line): void {
  printLines([line]);
}

export function printLines(lines: readonly Line[]): void {
  process.stdout.write(lines.map((line) => `${shown(line)}\n`).join(''));
}

/** Writes a line to stderr. */
export function noteLine(text: string): void {
  process.stderr.write(`${harmless(text)}\n`);
}

function shown(line: Line): string {
  if (typeof line === 'string') return harmless(line);
  const isColoured = colours ?? (process.stdout.isTTY && canMove);
  const parts = line.map((part) => {
    const { text, style } = typeof part === 'string' ? { text: part, style: null } : part;
    if (style === null || !isColoured || text === '') return harmless(text);
    const [begin, end] = styles[style];
    return `\u001b[${begin}m${harmless(text)}\u001b[${end}m`;
  });
  return parts.join('');
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

/**
 * Writes a line to stderr that the next one replaces. null takes it away.
 * @returns false where stderr is not a terminal: nothing is written then
 */
export function progressLine(text: string | null): boolean {
  const { isTTY, columns } = process.stderr;
  if (!isTTY || !canMove) return false;
  // A line of two rows could not be replaced.
  const fitting = [...harmless(text ?? '')].slice(0, Math.max(1, (columns || 80) - 1)).join('');
  process.stderr.write(`\r\u001b[2K${fitting}`);
  return true;
}

/** A bar for a progress line. @param share of the work that is done, from 0 to 1 */
export function progressBar(share: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * 20);
  return `${'█'.repeat(filled)}${'░'.repeat(20 - filled)}`;
}
