import { cleanText } from '../../text.ts';

/** Markup that is safe as it stands: made by `html`, which escapes whatever is put into it. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template: text is escaped, nothing stands for null and false, lists are joined. */
export type Content = string | number | Markup | null | false | readonly Content[];

/** A template that escapes by default. Every attribute is written in double quotes. */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(strings.map((string, index) => string + markupOf(contents[index] ?? null)).join(''));
}

function markupOf(content: Content): string {
  if (content === null || content === false) return '';
  if (content instanceof Markup) return content.text;
  return typeof content === 'object' ? content.map(markupOf).join('') : escapeText(String(content));
}

const entities: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;' },
  ...{ '"': '&quot;', "'": '&#39;', '`': '&#96;' },
};

/** Text as markup, clean of controls and of lone halves of characters. SVG reads it too. */
export function escapeText(text: string): string {
  return cleanText(text).replace(/[&<>"'`]/g, (character) => entities[character] ?? '');
}

/** As much of a text as a heading or a caption bears, on one line; it is cut between characters, and the cut is marked. */
export function shortText(text: string, most: number): string {
  const tidy = cleanText(text).replace(/\s+/gu, ' ').trim();
  const characters = [...tidy];
  return characters.length <= most
    ? tidy
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}
