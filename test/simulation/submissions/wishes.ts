import type { Arguments, EditedItem } from '../../../src/mutations/operations/find-operation.ts';
import type { Random } from '../random.ts';
import { assets, placeOf, setId, targetKind } from './owned-set.ts';
import { type Picture, pictureOf } from './pictures.ts';

/** A submission that somebody wants: the call that makes it, and what it brings where. */
export type Wish = {
  readonly clientMutationId: string;
  readonly expectedUpdatedAt: string | null;
  /** By their items' ids. */
  readonly pictures: ReadonlyMap<string, Picture>;
} & (
  | {
      readonly kind: 'creation';
      readonly tool: 'create_media_set';
      readonly arguments: Arguments<'create_media_set'>;
    }
  | { readonly kind: 'edit'; readonly tool: 'edit_set'; readonly arguments: Arguments<'edit_set'> }
);

export function wishOf(kind: Wish['kind'], index: number, random: Random): Wish {
  const number = index + 1;
  const clientMutationId = `0a0a0a0a-0000-4000-8000-${padded(number)}`;
  const files = random.below(kind === 'creation' ? 5 : 6) + (kind === 'creation' ? 1 : 0);
  const pictures = new Map<string, Picture>();
  const itemOf = (position: number) => {
    const itemId = `0c0c0c0c-000${number}-4000-8000-${padded(position + 1)}`;
    const picture = pictureOf(number, position + 1);
    pictures.set(itemId, picture);
    return { itemId, file: picture.path, ...placeOf(100 * number + position) };
  };
  switch (kind) {
    case 'creation': {
      const declaredFiles = Array.from({ length: files }, (_, position) => itemOf(position));
      const expectedUpdatedAt = null;
      const args: Arguments<'create_media_set'> = {
        clientMutationId,
        expectedUpdatedAt,
        entryTargetKind: targetKind,
        entryTargetId: number,
        titleBase: `Set ${number}`,
        languageCode: 'en',
        finalised: true,
        declaredFiles,
      };
      const tool = 'create_media_set';
      return { kind, tool, clientMutationId, expectedUpdatedAt, pictures, arguments: args };
    }
    case 'edit': {
      const expectedUpdatedAt = 's1';
      const added = Array.from({ length: files }, (_, position): EditedItem => {
        if (position > 0) return { operation: 'add', ...itemOf(position) };
        const { id: expectedPreviousAssetId, place } = assets.replaced;
        const replacing = { expectedPreviousAssetId, expectedAssetUpdatedAt: 'a1' };
        return { operation: 'replace', ...itemOf(position), ...place, ...replacing };
      });
      const existing: readonly EditedItem[] = [
        {
          operation: 'assign',
          existingAssetId: assets.assigned.id,
          expectedAssetUpdatedAt: 'a1',
          ...placeOf(100 * number + 50),
        },
        {
          operation: 'asset_metadata',
          existingAssetId: assets.relabelled.id,
          expectedAssetUpdatedAt: 'a1',
          languageCode: 'cy',
          ...assets.relabelled.place,
        },
      ];
      const args: Arguments<'edit_set'> = {
        clientMutationId,
        expectedUpdatedAt,
        setId,
        setKind: 'media_set',
        ...(files === 0 || random.chance(0.5) ? { metadata: { titleBase: `Set ${number}` } } : {}),
        items: [...added, ...existing.filter(() => random.chance(0.4))],
      };
      return { kind, tool: 'edit_set', clientMutationId, expectedUpdatedAt, pictures, arguments: args };
    }
  }
}

function padded(number: number): string {
  return String(number).padStart(12, '0');
}
