import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html, Markup, shortText } from '../../../src/curation/show/html.ts';
import { renderPage } from '../../../src/curation/show/render.ts';
import { pageNames, samplePages } from './samples.ts';

const texts = fc.string({ unit: 'binary', maxLength: 200 });

describe('html', () => {
  it('makes no markup of any text, in content or in an attribute', () => {
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const { text } = html`<p title="${one}">${other}</p>`;
        const [, title = '', content = ''] = /^<p title="([^"]*)">([^<]*)<\/p>$/.exec(text) ?? [];
        expect(text).toBe(`<p title="${title}">${content}</p>`);
        expect(title + content).not.toMatch(/[<>"'`]/);
      }),
    );
  });

  it('takes lists, numbers and markup of its own, and nothing for null and false', () => {
    const list = [1, 2].map((number) => html`<li>${number}</li>`);
    expect(html`<ul>${list}${null}${false}${['<', [new Markup('<br>')]]}</ul>`.text).toBe(
      '<ul><li>1</li><li>2</li>&lt;<br></ul>',
    );
  });

  it('takes out what turns text round, and towers of marks', () => {
    const { text } = html`${`a\u202eb\u2066c\u0000d e${'\u0301'.repeat(50)}`}`;
    expect(text).toBe(`abcd e${'\u0301'.repeat(4)}`);
  });
});

describe('shortText', () => {
  it('cuts whole characters, and shows that it did', () => {
    expect(shortText('  two\n words ', 20)).toBe('two words');
    expect(shortText('🎬'.repeat(30), 10)).toBe(`${'🎬'.repeat(9)}…`);
  });
});

describe('a page', () => {
  it('allows no script and no network, and its own style sheets by their digests alone', async () => {
    const pages = await samplePages('<script>alert(1)</script>');
    for (const kind of pageNames) {
      const page = pages[kind];
      const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';
      expect(policy).toMatch(/^default-src 'none'; img-src data:; style-src /);
      expect(policy).not.toContain('unsafe');
      const sheets = [...page.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, sheet]) => sheet ?? '');
      expect(sheets).toEqual([expect.stringContaining('color-scheme'), expect.stringContaining('{')]);
      for (const sheet of sheets) {
        expect(policy).toContain(`'sha256-${createHash('sha256').update(sheet).digest('base64')}'`);
      }
      expect(page).not.toMatch(/<script|<link|<iframe|<object|<form| on\w+="| style="|https?:\/\//i);
    }
  });

  it('keeps a title from ending its element', () => {
    const bare = { facts: [], tallies: [], notes: [], blocks: [] };
    const page = renderPage({ page: 'plan', title: '</title><script>', ...bare }, new Map(), '');
    expect(page).toContain('<title>&lt;/title&gt;&lt;script&gt;</title>');
  });
});
