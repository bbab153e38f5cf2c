/** Markup that is safe to send: text is always escaped. */
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

/** Escapes every value unless it is markup already. Null becomes nothing. */
export function html(ours: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(ours.reduce((text, own, index) => text + render(values[index - 1] ?? null) + own));
}

function render(content: Content): string {
  if (content === null) return '';
  if (content instanceof Html) return content.toString();
  if (Array.isArray(content)) return content.map(render).join('');
  return String(content).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const timeFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/**
 * A time, for people.
 * @param iso ISO 8601 UTC.
 */
export function timeElement(iso: string): Html {
  return html`<time datetime="${iso}">${timeFormat.format(new Date(iso))} UTC</time>`;
}
