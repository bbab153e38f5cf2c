import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Mistake } from './mistake.ts';
import { fresh } from './scene.ts';

/** What is said of an Asset that is there. */
export const assetMistakes: readonly Mistake[] = [
  {
    what: 'an edit of nothing',
    tool: 'edit_asset_metadata',
    args: async (scene) => {
      const { id, updatedAt } = await scene.moviePoster();
      return { ...fresh(), assetId: id, expectedUpdatedAt: updatedAt };
    },
    category: 'invalid_arguments',
    right: /languageCode.*editionId/,
  },
  {
    what: 'a language under another name',
    tool: 'edit_asset_metadata',
    args: async (scene) => {
      const { id, updatedAt } = await scene.moviePoster();
      return { ...fresh(), assetId: id, expectedUpdatedAt: updatedAt, language: 'fr' };
    },
    category: 'invalid_arguments',
    right: /did you mean languageCode/,
  },
  {
    what: 'a language by its name, in an edit',
    tool: 'edit_asset_metadata',
    args: async (scene) => {
      const { id, updatedAt } = await scene.moviePoster();
      return { ...fresh(), assetId: id, expectedUpdatedAt: updatedAt, languageCode: 'german', dryRun: true };
    },
    category: 'invalid_arguments',
    right: /\\"(en|de)\\"/,
  },
  {
    what: 'an Asset by its path',
    tool: 'edit_asset_metadata',
    args: ({ folder }) => ({ ...fresh(), assetId: path.join(folder, 'a.png'), languageCode: 'fr' }),
    category: 'invalid_arguments',
    right: /UUID/,
  },
  {
    what: 'an edit of another’s Asset',
    tool: 'edit_asset_metadata',
    args: ({ foreignAssetId }) => ({
      ...fresh(),
      expectedUpdatedAt: '2026-01-01T00:00:00.000Z',
      assetId: foreignAssetId,
      languageCode: 'fr',
    }),
    category: 'forbidden',
    right: /somebody else|another account|of your own|account’s own/,
  },
  {
    what: 'a frame of what does not move',
    tool: 'select_preview_frame',
    args: async (scene) => {
      const { id, updatedAt } = await scene.moviePoster();
      return { ...fresh(), assetId: id, expectedUpdatedAt: updatedAt, selectedSourceFrame: 3 };
    },
    category: 'invalid_arguments',
    right: /still picture/,
  },
  {
    what: 'a frame before the first',
    tool: 'select_preview_frame',
    args: () => ({ ...fresh(), assetId: randomUUID(), selectedSourceFrame: -1 }),
    category: 'invalid_arguments',
    right: /at least 0/,
  },
];
