/**
 * The one way to a person's terminal: all that commands print and all that is logged goes through here, line by
 * line, since any of it may quote what others wrote. stdout is a command's answer (that of the server belongs to the
 * protocol), stderr is for all else.
 */

/** Codes of the terminal that begin and end a style (ECMA-48, SGR). */
const styles = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

/** A part of a line that a terminal shows in a style; elsewhere it is its text alone. */
interface Styled {
  readonly style: keyof typeof styles;
  readonly text: string;
}

/** A line as it is, or in parts. */
export type Line = string | readonly (string | Styled)[];

/** What a person wishes of the terminal. */
export interface TerminalWish {
  /** null: on a terminal only. */
  readonly colours: boolean | null;
  /** Whether the terminal can write over a line. */
  readonly moves: boolean;
}

let wish: TerminalWish = { colours: null, moves: true };

/** Takes what the person wishes of the terminal, for all that is written from now on. */
export function heedTerminalWish(wished: TerminalWish): void {
  wish = wished;
}

/** One line of stdout. */
export function printLine(line: Line): void {
  printLines([line]);
}

/** Several lines of stdout, where the line ends are ours. */
export function printLines(lines: readonly Line[]): void {
  process.stdout.write(lines.map((line) => `${shown(line)}\n`).join(''));
}

function shown(line: Line): string {
  if (typeof line === 'string') return onOneLine(line);
  const coloured = wish.colours ?? (process.stdout.isTTY && wish.moves);
  return line
    .map((part) => {
      if (typeof part === 'string') return onOneLine(part);
      const [begin, end] = styles[part.style];
      const text = onOneLine(part.text);
      return coloured && text !== '' ? `\u001b[${begin}m${text}\u001b[${end}m` : text;
    })
    .join('');
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
  if (!isTTY || !wish.moves) return false;
  // One that is broken over two rows could not be written over.
  const fitting =
    text === null ? '' : [...onOneLine(text)].slice(0, Math.max(1, (columns || 80) - 1)).join('');
  process.stderr.write(`\r\u001b[2K${fitting}`);
  return true;
}

/** A bar for a progress line, twenty characters wide. @param share of the work that is done, from 0 to 1 */
export function progressBar(share: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * 20);
  return `${'█'.repeat(filled)}${'░'.repeat(20 - filled)}`;
}
