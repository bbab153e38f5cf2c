import { describe, expect, it } from 'vitest';
import type { SetAudit } from '../../../src/curation/audits/audit.ts';
import { auditPageView, auditView } from '../../../src/curation/pages/audit.ts';
import { changesPage } from '../../../src/curation/pages/changes.ts';
import type { ChangesView } from '../../../src/curation/pages/view.ts';

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
    const title = (...sets: SetAudit[]) => auditView(sets, sets.length).title;
    expect(title(audited(1))).toBe('Wexmoor · 1');
    expect(title(audited(1, { own: true }), audited(2, { own: true }, 8))).toBe('Your 2 Sets');
    expect(title(audited(1), audited(2, { by: 'other' }))).toBe('2 Sets of Wexmoor (2020)');
    expect(title(audited(1), audited(2, {}, 8))).toBe('2 Sets by quiet.reel');
    expect(title(audited(1), audited(2, { by: 'other' }, 8))).toBe('2 Sets');
  });

  it('says in words what to ask for, and shows no call', () => {
    const page = auditPageView(auditView([audited(1, { own: true })], 1), 'Made now.');
    expect(page).toContain('In the conversation that made this page, ask:');
    expect(page).toContain(
      'In my Show Set 1, “Wexmoor · 1”, add what is missing, from a folder that I name.',
    );
    expect(page).not.toMatch(/plan_set|setId|\{"/);
  });
});

describe('the page of changes', () => {
  const view = (count: number): ChangesView => ({
    ...{ page: 'changes', kind: 'Changes', title: 'Since Monday', facts: [], tallies: [], notes: [] },
    changed: Array.from({ length: count }, (_, at) => ({
      title: `Wexmoor <${at}>`,
      facts: [],
      changes: [],
    })),
  });

  it('leads to each part where they are many', () => {
    const page = changesPage(view(3), new Map(), '');
    expect(page).toContain('<nav class="jump" aria-label="Sections">');
    for (const at of [1, 2, 3]) {
      expect(page).toContain(`href="#s${at}"`);
      expect(page).toContain(`id="s${at}"`);
    }
    expect(page).toContain('Wexmoor &lt;1&gt;');
    expect(changesPage(view(2), new Map(), '')).not.toContain('class="jump"');
  });
});
