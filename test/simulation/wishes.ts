import type { Guarded, OperationName } from '../../src/mutations/operations/index.ts';
import { type Picture, pictureOf } from './folder.ts';
import { assets, groupId, placeOf, setId, targetKind } from './owned-set.ts';
import { seeded } from './random.ts';

/** A change that somebody wants: the call that makes it, and what it brings. */
export interface Wish {
  readonly tool: OperationName;
  readonly arguments: Guarded & Readonly<Record<string, unknown>>;
  readonly id: string;
  readonly expectedUpdatedAt: string | null;
  readonly isSubmission: boolean;
  /** By their filenames. */
  readonly pictures: ReadonlyMap<string, Picture>;
  /** What it rests on and is compared before it is sent: an Asset's id, `group` or `set`; null: nothing. */
  readonly rests: string | null;
  /** The id of another wish for the very same. */
  readonly twin: string | null;
}

export type WishKind = 'upload' | 'replacement' | 'group' | 'group edit' | 'metadata' | 'creation' | 'edit';
export const singles = ['upload', 'replacement', 'group', 'group edit', 'metadata'] as const;

const padded = (number: number) => String(number).padStart(12, '0');
const mutationId = (number: number) => `0a0a0a0a-0000-4000-8000-${padded(number)}`;
const files = (pictures: readonly Picture[]) => new Map(pictures.map((each) => [each.filename, each]));

/** What a wish is about: two of the same content want the very same. */
export interface Content {
  /** Tells its pictures, titles and places from those of others. */
  readonly number: number;
  /** Of what is drawn. */
  readonly seed: number;
}

/** @param number tells its id from others; `twin`: the id of another wish of the same content */
export function wishOf(kind: WishKind, number: number, content: Content, twin: string | null = null): Wish {
  const id = mutationId(number);
  const head = { id, isSubmission: false, pictures: files([]), rests: null, twin };
  switch (kind) {
    case 'upload':
    case 'replacement': {
      const picture = pictureOf(`single-${content.number}`);
      const { id: asset } = assets.superseded;
      const isAdd = kind === 'upload';
      const expectedUpdatedAt = isAdd ? null : 'a1';
      const how = isAdd
        ? { operation: 'add' as const }
        : { operation: 'replace' as const, previousAssetId: asset };
      const args = { clientMutationId: id, expectedUpdatedAt, file: picture.path, ...how };
      return {
        ...head,
        ...{
          tool: 'upload_asset',
          expectedUpdatedAt,
          pictures: files([picture]),
          rests: isAdd ? null : asset,
        },
        arguments: { ...args, ...placeOf(10 + content.number) },
      };
    }
    case 'group': {
      const title = `Group ${content.number}`;
      const args = { clientMutationId: id, expectedUpdatedAt: null, kind: 'boxset' as const, title };
      return { ...head, tool: 'create_group', expectedUpdatedAt: null, arguments: args };
    }
    case 'group edit': {
      const args = { clientMutationId: id, expectedUpdatedAt: 'g1', groupId, title: id };
      return { ...head, tool: 'edit_group', expectedUpdatedAt: 'g1', rests: 'group', arguments: args };
    }
    case 'metadata': {
      const { id: assetId } = assets.edited;
      const args = { clientMutationId: id, expectedUpdatedAt: 'a1', assetId, languageCode: id };
      return {
        ...head,
        ...{ tool: 'edit_asset_metadata', expectedUpdatedAt: 'a1', rests: assetId, arguments: args },
      };
    }
    case 'creation':
      return creationOf(number, content, head);
    case 'edit':
      return editOf(number, content, head);
  }
}

type Head = Pick<Wish, 'id' | 'isSubmission' | 'pictures' | 'rests' | 'twin'>;

function creationOf(number: number, content: Content, head: Head): Wish {
  const pictures = picturesOf(content.number, 1 + seeded(content.seed).below(5));
  return {
    ...head,
    ...{ tool: 'create_media_set', isSubmission: true, expectedUpdatedAt: null, pictures: files(pictures) },
    arguments: {
      clientMutationId: head.id,
      expectedUpdatedAt: null,
      entryTargetKind: targetKind,
      entryTargetId: content.number,
      titleBase: `Set ${content.number}`,
      languageCode: 'en',
      finalised: true,
      declaredFiles: pictures.map((picture, position) => itemOf(number, content, picture, position)),
    },
  };
}

function editOf(number: number, content: Content, head: Head): Wish {
  const random = seeded(content.seed);
  const pictures = picturesOf(content.number, random.below(6));
  const { replaced, assigned, relabelled } = assets;
  const brought = pictures.map((picture, position) => {
    const item = itemOf(number, content, picture, position);
    if (position > 0) return { operation: 'add' as const, ...item };
    const replacing = { expectedPreviousAssetId: replaced.id, expectedAssetUpdatedAt: 'a1' };
    return { operation: 'replace' as const, ...item, ...replaced.place, ...replacing };
  });
  const existing = [
    {
      ...{ operation: 'assign' as const, existingAssetId: assigned.id, expectedAssetUpdatedAt: 'a1' },
      ...placeOf(100 * content.number + 50),
    },
    {
      ...{
        operation: 'asset_metadata' as const,
        existingAssetId: relabelled.id,
        expectedAssetUpdatedAt: 'a1',
      },
      ...{ languageCode: 'cy', ...relabelled.place },
    },
  ];
  const isRenaming = pictures.length === 0 || random.chance(0.5);
  return {
    ...head,
    ...{
      tool: 'edit_set',
      isSubmission: true,
      expectedUpdatedAt: 's1',
      pictures: files(pictures),
      rests: 'set',
    },
    arguments: {
      clientMutationId: head.id,
      expectedUpdatedAt: 's1',
      setId,
      setKind: 'media_set',
      ...(isRenaming ? { metadata: { titleBase: `Set ${content.number}` } } : {}),
      items: [...brought, ...existing.filter(() => random.chance(0.4))],
    },
  };
}

function picturesOf(number: number, count: number): Picture[] {
  return Array.from({ length: count }, (_, index) => pictureOf(`set-${number}-${index + 1}`));
}

function itemOf(number: number, content: Content, { path }: Picture, position: number) {
  const itemId = `0c0c0c0c-000${number}-4000-8000-${padded(position + 1)}`;
  return { itemId, file: path, ...placeOf(100 * content.number + position) };
}
