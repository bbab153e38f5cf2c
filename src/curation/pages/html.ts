import { createHash } from 'node:crypto';
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
  const text = strings.map((string, index) => string + markupOf(contents[index] ?? null)).join('');
  return new Markup(text);
}

function markupOf(content: Content): string {
  if (content === null || content === false) return '';
  if (content instanceof Markup) return content.text;
  if (typeof content === 'object') return content.map(markupOf).join('');
  return escapeText(String(content));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** Towers of marks reach over the lines above and below them; no script stacks more than a few. */
const towers = /(\p{M}{4})\p{M}+/gu;

function escapeText(text: string): string {
  return cleanText(text)
    .replace(towers, '$1')
    .replace(/[&<>"'`]/g, (character) => entities[character] ?? '');
}

/** As much of a text as a heading or a caption bears; the cut is marked. */
export function shortText(text: string, most: number): string {
  const tidy = cleanText(text).replace(/\s+/gu, ' ').trim();
  const characters = [...tidy];
  if (characters.length <= most) return tidy;
  return `${characters
    .slice(0, most - 1)
    .join('')
    .trimEnd()}…`;
}

interface PageDocument {
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

/** The look of every page: light and dark, from a phone's width to a desk's. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#faf9f6, #131315);
  --raised: light-dark(#ffffff, #1c1c1f);
  --ink: light-dark(#1d1c1a, #eceae6);
  --quiet: light-dark(#66625b, #a29e97);
  --line: light-dark(#e4e0d8, #2e2e32);
  --gap: light-dark(#8f4f0b, #e3a75c);
  --gap-line: light-dark(#cfa26b, #7d5f35);
  --bad: light-dark(#a4262c, #ff9b94);
  --good: light-dark(#2f6b45, #86c79c);
  --mat: light-dark(#d9d6cf, #55555a);
  --mat-2: light-dark(#cbc8c0, #4a4a4f);
  --serif: ui-serif, "Iowan Old Style", "Palatino Linotype", Palatino, Georgia, "Noto Serif", serif;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace;
  --edge: clamp(1rem, 4vw, 3rem);
  --space: clamp(.5rem, 1vw, .875rem);
  --wide: 6.1rem;
  --tall: 9.5rem;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
@media (min-width: 45rem) { :root { --wide: 9.5rem; --tall: 14rem; } }
@media (min-width: 75rem) { :root { --wide: 10.5rem; --tall: 15.5rem; } }
* { box-sizing: border-box; margin: 0; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  background: var(--paper);
  color: var(--ink);
  font: 400 .9375rem/1.5 var(--sans);
  font-variant-numeric: tabular-nums;
  overflow-wrap: anywhere;
}
h1, h2, h3 { font-weight: 500; line-height: 1.15; text-wrap: balance; }
h1 { font-family: var(--serif); font-size: clamp(1.75rem, 1.3rem + 2vw, 2.75rem); letter-spacing: -.015em; }
h2 { font-family: var(--serif); font-size: clamp(1.25rem, 1.1rem + .6vw, 1.6rem); letter-spacing: -.01em; }
h3 { font: 600 .9375rem/1.3 var(--sans); }
ul { list-style: none; padding: 0; }
a { color: inherit; text-underline-offset: .2em; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--gap); outline-offset: 3px; border-radius: 2px; }
.skip { position: absolute; left: var(--edge); top: -4rem; padding: .5rem .75rem; background: var(--raised); }
.skip:focus { top: .5rem; z-index: 3; }
.top, main, .foot { max-width: 88rem; margin-inline: auto; padding-inline: var(--edge); }
.top { padding-block: clamp(1.75rem, 5vw, 4rem) clamp(1rem, 2vw, 1.5rem); }
.kind { color: var(--quiet); font-size: .75rem; font-weight: 600; letter-spacing: .09em; text-transform: uppercase; margin-bottom: .6rem; }
.facts { color: var(--quiet); margin-top: .6rem; }
.facts span + span::before { content: "\\00b7"; margin-inline: .5em; }
.about { max-width: 62ch; margin-top: .9rem; white-space: pre-line; }
.tallies { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 12rem), 1fr)); gap: .9rem 1.75rem; margin-top: 1.75rem; }
.tally dt { color: var(--quiet); font-size: .8125rem; }
.tally dd { font-size: 1.0625rem; }
.tally dd small { color: var(--quiet); font-size: .8125rem; }
.tally .lack { color: var(--gap); }
.bar { display: block; height: 3px; margin-top: .35rem; background: var(--line); border-radius: 2px; overflow: hidden; }
.bar i { display: block; height: 100%; background: var(--ink); }
.notes { margin-top: .9rem; color: var(--quiet); }
.jump { position: sticky; top: 0; z-index: 2; background: var(--paper); border-block: 1px solid var(--line); margin-bottom: .5rem; }
.jump ul { display: flex; gap: .25rem 1.25rem; max-width: 88rem; margin-inline: auto; padding: .1rem var(--edge); overflow-x: auto; scrollbar-width: thin; }
.jump a { display: block; padding: .6rem 0; white-space: nowrap; text-decoration: none; color: var(--quiet); font-size: .875rem; }
.jump a:hover { color: var(--ink); }
.jump .lack { color: var(--gap); }
.jump.many { position: static; }
.jump.many summary { max-width: 88rem; margin-inline: auto; padding: .6rem var(--edge); cursor: pointer; color: var(--quiet); font-size: .875rem; }
.jump.many ul { display: block; columns: 16rem; padding-bottom: .8rem; overflow: visible; }
.jump.many a { padding: .25rem 0; white-space: normal; }
@media (min-width: 60rem) { .jump ul { flex-wrap: wrap; overflow: visible; } .jump:not(.many) a { padding: .35rem 0; } .jump:not(.many) ul { padding-block: .35rem; } }
main { padding-bottom: 2rem; }
.part + .part { margin-top: clamp(1.75rem, 3vw, 2.5rem); border-top: 1px solid var(--line); padding-top: clamp(1.25rem, 2.5vw, 1.75rem); }
section.group { padding-top: clamp(1.5rem, 3vw, 2.25rem); scroll-margin-top: 2.5rem; }
.title { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: .15rem 1rem; margin-bottom: .8rem; }
.title p { color: var(--quiet); font-size: .875rem; }
.title p.lack { color: var(--gap); }
.row { display: flex; flex-wrap: wrap; gap: calc(var(--space) * 1.6) var(--space); }
.row + .row { margin-top: calc(var(--space) * 1.6); }
.row::after { content: ""; flex: 1000 1 0; min-width: 0; margin-left: calc(var(--space) * -1); }
.cell { flex: var(--r) 1 calc(var(--r) * var(--height)); min-width: 0; max-width: 100%; scroll-margin: 4rem; }
.row.wide { --height: var(--wide); }
.row.tall { --height: var(--tall); }
@media (min-width: 60rem) { .row.one { flex-wrap: nowrap; } .row.one::after { content: none; } .row.one .cell { flex-basis: 0; } }
.picture { display: block; border-radius: 3px; overflow: hidden; }
.picture img { display: block; width: 100%; height: auto; }
.picture.clear { background: repeating-conic-gradient(var(--mat) 0 25%, var(--mat-2) 0 50%) 0 0 / 16px 16px; }
.hole { display: grid; place-content: center; gap: .1rem; aspect-ratio: var(--r); padding: .4rem; border: 1.5px dashed var(--gap-line); border-radius: 3px; color: var(--gap); font-size: .8125rem; line-height: 1.3; text-align: center; overflow: hidden; }
.hole.later { border-color: var(--line); color: var(--quiet); }
.hole.unseen { border-style: solid; border-color: var(--line); color: var(--quiet); }
figure > a { display: block; text-decoration: none; }
figcaption, .caption { margin-top: .4rem; font-size: .8125rem; line-height: 1.35; }
.label { display: block; font-weight: 600; }
.name, .fact, .mark, .warn, .bad, .ask { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }
.name { -webkit-line-clamp: 2; }
.fact { -webkit-line-clamp: 2; }
.fact, .mark { color: var(--quiet); }
.warn { color: var(--gap); -webkit-line-clamp: 5; }
.bad { color: var(--bad); -webkit-line-clamp: 5; }
.ask { -webkit-line-clamp: 10; margin-top: .25rem; padding-left: .6rem; border-left: 2px solid var(--gap-line); }
.cases { display: flex; flex-wrap: wrap; gap: 2rem; }
.row.wordy { --height: 5.5rem; flex: 0 1 auto; align-content: start; max-width: 100%; margin: 0; }
.row.wordy::after { content: none; }
.row.wordy .cell { flex: 0 1 auto; width: max(calc(var(--r) * var(--height)), 10rem); }
@media (min-width: 45rem) { .row.wordy { --height: 9rem; } .row.wordy .cell { min-width: 15rem; } }
.row.wordy .picture, .row.wordy .hole { width: calc(var(--r) * var(--height)); max-width: 100%; }
.more { border-top: 1px solid var(--line); padding-block: .6rem; margin-top: .8rem; }
.more + .more { margin-top: 0; }
.more summary { cursor: pointer; }
.more > :not(summary) { margin-top: .5rem; color: var(--quiet); font-size: .875rem; }
.count { color: var(--quiet); margin-left: .35rem; }
.files { columns: 18rem; column-gap: 2rem; }
pre { font: .8125rem/1.5 var(--mono); white-space: pre-wrap; background: var(--raised); border: 1px solid var(--line); border-radius: 4px; padding: .6rem .8rem; }
.nothing { padding-block: 2rem; color: var(--quiet); }
.part > h2 { margin-bottom: .1rem; }
.news { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 31.5rem), 1fr)); gap: clamp(1.5rem, 3vw, 2.5rem) 3rem; overflow: clip; }
.news .part { grid-column: 1 / -1; min-width: 0; margin-top: -1px; border-top: 1px solid var(--line); padding-top: clamp(1.25rem, 2.5vw, 1.75rem); }
.news .single { grid-column: auto; }
.changes { margin-top: .9rem; display: flex; flex-wrap: wrap; gap: 1.75rem 2.25rem; }
.change { max-width: 100%; }
.said .fact { margin-top: 0; }
.pair { display: flex; align-items: flex-start; gap: .6rem; margin-top: .5rem; }
.pair .side { flex: 0 1 auto; min-width: 0; width: calc(var(--side) * 11rem); max-width: 100%; }
.pair .caption { color: var(--quiet); }
.arrow { align-self: center; color: var(--quiet); padding-bottom: 1.5rem; }
.verdict { margin-top: .8rem; }
.verdict.bad { color: var(--bad); display: block; }
.findings { margin-top: 1.25rem; }
.findings > div { display: grid; gap: .1rem 2rem; padding-block: .7rem; border-top: 1px solid var(--line); }
@media (min-width: 45rem) { .findings > div { grid-template-columns: 8rem minmax(0, 1fr); } }
.findings dt { font-weight: 600; font-size: .875rem; }
.findings dd > ul { display: grid; gap: .45rem; }
.findings li.bad { display: list-item; color: inherit; }
.findings li.later > span { color: var(--quiet); }
.order li { padding-block: .5rem; border-top: 1px solid var(--line); }
.order .facts { display: inline; margin-left: .75rem; font-size: .875rem; }
.places { display: flex; flex-wrap: wrap; gap: .3rem; margin-top: .3rem; }
.places li { padding: .05rem .5rem; border: 1px solid var(--gap-line); border-radius: 99px; font-size: .8125rem; color: var(--gap); }
.later .places li { border-color: var(--line); color: var(--quiet); }
.close { display: none; }
.cell:target figure { position: fixed; inset: 0; z-index: 9; display: flex; flex-direction: column; justify-content: center; align-items: center; gap: .75rem; padding: 1rem; background: var(--paper); text-align: center; }
.cell:target .picture { max-width: 100%; }
.cell:target .picture img { width: auto; min-width: min(92vw, 40rem); max-width: 94vw; max-height: 76vh; object-fit: contain; }
.cell:target .close { display: inline-block; padding: .5rem 1rem; border: 1px solid var(--line); border-radius: 99px; text-decoration: none; }
.foot { padding-block: 1.5rem 3rem; color: var(--quiet); font-size: .8125rem; }
.foot p { border-top: 1px solid var(--line); padding-top: 1rem; max-width: none; }
@media print { .jump, .skip { display: none; } .cell { break-inside: avoid; } }
`;
