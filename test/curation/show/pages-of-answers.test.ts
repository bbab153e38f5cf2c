import { describe, expect, it } from 'vitest';
import type { SetAudit } from '../../../src/curation/audit/audit.ts';
import { auditPage } from '../../../src/curation/show/audit-page.ts';
import type { Page } from '../../../src/curation/show/page.ts';
import { renderPage } from '../../../src/curation/show/render.ts';

const audited = (id: number, more: Partial<SetAudit['set']> = {}, work = 7): SetAudit => ({
  set: {
    ...{ kind: 'show_set', id, title: `Wexmoor · ${id}`, by: 'quiet.reel', own: false, changedAt: null },
    ...more,
  },
  work: { kind: 'show', id: work, title: 'Wexmoor (2020)' },
  slots: [],
  without: [],
  findings: [
    {
      ...{ code: 'missing', season: 1, slot: 'titlecard', count: 2, places: ['S01E01–E02'] },
      words: 'Season 1: 2 of 6 title cards missing: S01E01–E02.',
    },
  ],
  unchecked: [],
  next: { tool: 'plan_set', arguments: { setId: id, folder: '/x' }, why: 'It plans the edit.' },
});

describe('the page of an audit', () => {
  it('says whose Sets they are, or of what', () => {
    const title = (...sets: SetAudit[]) => auditPage(sets, sets.length).title;
    expect(title(audited(1))).toBe('Wexmoor · 1');
    expect(title(audited(1, { own: true }), audited(2, { own: true }, 8))).toBe('Your 2 Sets');
    expect(title(audited(1), audited(2, { by: 'other' }))).toBe('2 Sets of Wexmoor (2020)');
    expect(title(audited(1), audited(2, {}, 8))).toBe('2 Sets by quiet.reel');
    expect(title(audited(1), audited(2, { by: 'other' }, 8))).toBe('2 Sets');
  });

  it('says in words what to ask for, and shows no call', () => {
    const page = renderPage(auditPage([audited(1, { own: true })], 1), new Map(), 'Made now.');
    expect(page).toContain('In the conversation that made this page, ask:');
    expect(page).toContain(
      'In my Show Set 1, “Wexmoor · 1”, add what is missing, from a folder that I name.',
    );
    expect(page).not.toMatch(/plan_set|setId|\{"/);
  });
});

describe('the page of changes', () => {
  const page = (count: number): Page => ({
    ...{ page: 'changes', kind: 'Changes', title: 'Since Monday', facts: [], tallies: [], notes: [] },
    blocks: Array.from({ length: count }, (_, at) => ({
      ...{ block: 'section', title: `Wexmoor <${at}>`, facts: [], tallies: [], notes: [], blocks: [] },
    })),
  });

  it('leads to each part where they are many', () => {
    const drawn = renderPage(page(3), new Map(), '');
    expect(drawn).toContain('<nav class="jump" aria-label="Sections">');
    for (const at of [1, 2, 3]) {
      expect(drawn).toContain(`href="#s${at}"`);
      expect(drawn).toContain(`id="s${at}"`);
    }
    expect(drawn).toContain('Wexmoor &lt;1&gt;');
    expect(renderPage(page(2), new Map(), '')).not.toContain('class="jump"');
  });
});
