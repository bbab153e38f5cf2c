import { createHash } from 'node:crypto';
import { Markup, html, shortText } from './html.ts';
import { style } from './style.ts';

export interface PageDocument {
  readonly title: string;
  readonly body: Markup;
  /** Rules that only this page needs, once its body is made: proportions and widths, of numbers alone. */
  rules(): string;
}

/**
 * A whole HTML document that loads nothing and runs nothing: its policy allows embedded pictures and the two style
 * sheets by their digests, and no script at all.
 */
export function documentOf({ title, body, rules: rulesOf }: PageDocument): string {
  const rules = rulesOf();
  const policy = [
    "default-src 'none'",
    'img-src data:',
    `style-src ${[style, rules].map(digestOf).join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${shortText(title, 120)}</title>
<style>${new Markup(style)}</style>
<style>${new Markup(rules)}</style>
</head>
<body>
${body}
</body>
</html>
`.text;
}

function digestOf(sheet: string): string {
  return `'sha256-${createHash('sha256').update(sheet).digest('base64')}'`;
}
