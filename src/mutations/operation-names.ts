import type { LedgerEntry } from '../ledger/entry.ts';

/** Every kind of mutation, under the name of the tool that makes it. */
export const operationNames = [
  'upload_asset',
  'edit_asset_metadata',
  'select_preview_frame',
  'create_group',
  'edit_group',
  'create_grouping_set',
  'assign_grouping_assets',
  'change_relationship',
  'create_media_set',
  'edit_set',
] as const;

export type OperationName = (typeof operationNames)[number];

export function isSubmission({ operation }: Pick<LedgerEntry, 'operation'>): boolean {
  return operation === 'create_media_set' || operation === 'edit_set';
}
