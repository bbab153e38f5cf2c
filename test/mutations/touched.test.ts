import { describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../../src/ledger/entry.ts';
import { storeReceipt } from '../../src/mutations/finding.ts';
import { namedTarget } from '../../src/mutations/names.ts';
import { touchedBy } from '../../src/mutations/answer/touched.ts';

type Entry = Parameters<typeof touchedBy>[0];

const clientMutationId = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const assetId = '0b7a9c1e-33c1-4e0a-9c55-8f6f1f6f2a10';

function ended(operation: string, target: LedgerEntry['target'], receipt: object, by: 'receipt' | 'lookup') {
  const kept = storeReceipt({
    receipt: { ...receipt },
    updatedAt: null,
    publicationStatus: null,
    evidence: { by, certainty: 'certain', says: '' },
    warnings: [],
  });
  const entry: Entry = { operation, clientMutationId, target, receipt: kept, outcome: 'succeeded' };
  return entry;
}

const upload = { operation: 'add', slot: 'poster', targetKind: 'movie', targetId: 5 };
const creation = {
  kind: 'media_set',
  title: 'All cards',
  entryTargetKind: 'show',
  entryTargetId: 1,
  files: 2,
};

describe('what an entry of a version that kept no names made', () => {
  it('is told with its number where no name is known', () => {
    expect(touchedBy(ended('upload_asset', upload, { assetId }, 'receipt'))).toEqual({
      kind: 'asset',
      id: assetId,
      title: 'movie 5 poster',
    });
    expect(namedTarget(upload, {})).toEqual(upload);
  });
});

describe('the id of what was made', () => {
  it('is a number for a Set and a group, however the service writes it', () => {
    const set = ended('create_media_set', creation, { submissionId: 'x', setId: '12', id: 99 }, 'lookup');
    expect(touchedBy(set)).toEqual({ kind: 'set', id: 12, title: 'All cards' });
    const group = ended('create_group', { kind: 'boxset', title: 'Box' }, { id: '7' }, 'receipt');
    expect(touchedBy(group)).toEqual({ kind: 'group', id: 7, title: 'Box' });
  });

  it('is never that of a submission, nor that of an upload’s status', () => {
    const set = ended('create_media_set', creation, { submissionId: '12', id: 12 }, 'lookup');
    expect(touchedBy(set)?.id).toBeNull();
    expect(touchedBy(ended('upload_asset', upload, { id: 12 }, 'lookup'))?.id).toBeNull();
  });

  it('is not told of what the service took back', () => {
    const set = ended('create_media_set', creation, { setId: 12 }, 'lookup');
    expect(touchedBy({ ...set, outcome: 'rolled_back' })).toEqual({
      kind: 'set',
      id: null,
      title: 'All cards',
    });
  });

  it('comes with the new title once an edit has ended, and with the old one before', () => {
    const target = { kind: 'media_set', id: 12, newTitle: 'New', items: 0, metadata: ['titleBase'] };
    const edit = { ...ended('edit_set', target, { setId: 12 }, 'lookup'), names: { 'set 12': 'Old' } };
    expect(touchedBy(edit)?.title).toBe('New');
    expect(touchedBy({ ...edit, outcome: 'failed' })?.title).toBe('Old');
    expect(namedTarget(target, edit.names)).toMatchObject({ id: 12, title: 'Old', newTitle: 'New' });
  });
});

it('names from the store are cleaned again', () => {
  const names = { 'movie 5': 'Sere\u001bnity\u202e' };
  expect(namedTarget(upload, names)).toEqual({ ...upload, targetTitle: 'Serenity' });
});
