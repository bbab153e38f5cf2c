/** Markup that is safe to send: text only gets in escaped. */
export class Html {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  toString(): string {
    return this.#text;
  }
}

export type Content = Html | string | number | null | readonly Content[];

/** Text between the marks is ours; every value is escaped unless it is markup already. Null is nothing. */
export function html(ours: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(ours.reduce((text, own, index) => text + render(values[index - 1] ?? null) + own));
}

function render(content: Content): string {
  if (content === null) return '';
  if (content instanceof Html) return content.toString();
  if (Array.isArray(content)) return content.map(render).join('');
  return String(content).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
