import { randomUUID } from 'node:crypto';
import type { MutationCall, Mutations } from '../../src/mutations/mutations.ts';
import type { Arguments, Guarded } from '../../src/mutations/operations/find-operation.ts';
import type { MutationResult } from '../../src/mutations/result.ts';
import { textOf } from '../sandbox/me-catalogue.ts';
import { animation, poster } from '../sandbox/me-pictures.ts';
import { groups, works } from '../sandbox/me-works.ts';
import type { Artist } from './artist.ts';
import type { Studio } from './studio.ts';

/** A change that can be made, by the operation's name. */
export interface Wish {
  readonly operation: string;
  /** What is posted to, below `{base_url}`. */
  readonly path: string;
  /** Everything but what is common to all mutations, with the revision that fits. */
  readonly arguments: Guarded & Readonly<Record<string, unknown>>;
  make(mutations: Mutations, args: Guarded, call?: MutationCall): Promise<MutationResult>;
}

interface Setting {
  readonly studio: Studio;
  readonly artist: Artist;
  /** An access token of the same account, to look behind the scenes. */
  readonly token: string;
}

const common = (expectedUpdatedAt: string | null) => ({ clientMutationId: randomUUID(), expectedUpdatedAt });

/** Uploads a picture behind the scenes, and answers what is known of its Asset. */
export async function ownAsset(
  { studio, token }: Pick<Setting, 'studio' | 'token'>,
  path = '/me/assets',
  file: { readonly bytes: Buffer; readonly contentType: string } | null = null,
  query: Readonly<Record<string, string | number | null>> = {},
): Promise<{ readonly id: string; readonly updatedAt: string }> {
  const target = path === '/me/assets' ? { targetKind: 'movie', targetId: works.movie.id } : {};
  const answer = await studio.catalogue.upload(path, token, {
    bytes: file?.bytes ?? (await poster()),
    ...(file === null ? {} : { contentType: file.contentType }),
    query: { operation: 'add', clientMutationId: randomUUID(), slot: 'poster', ...target, ...query },
  });
  return { id: textOf(answer, 'assetId'), updatedAt: textOf(answer, 'updatedAt') };
}

export async function revisionOf({ studio, token }: Setting, path: string): Promise<string> {
  return textOf(await studio.catalogue.get(path, token), 'updatedAt');
}

/** How each operation can be asked for, once each. */
export const wishes: Readonly<Record<string, (setting: Setting) => Promise<Wish>>> = {
  'an upload': async ({ artist }) =>
    upload('/me/assets', {
      ...common(null),
      file: await artist.file(await poster()),
      operation: 'add',
      slot: 'poster',
      targetKind: 'movie',
      targetId: works.movie.id,
    }),

  'an upload into a Set': async (setting) => {
    const { setId, target } = await newTalentSet(setting);
    return upload(`/me/sets/${setId}/assets`, {
      ...common(await revisionOf(setting, `/me/sets/${setId}`)),
      file: await setting.artist.file(await poster()),
      operation: 'add',
      slot: 'poster',
      ...target,
      setId,
    });
  },

  'a group’s poster': async (setting) => {
    const group = { kind: 'boxset', title: `Boxset ${randomUUID()}` };
    const { body } = await setting.studio.catalogue.post('/me/groups', setting.token, group);
    const groupId = idOf(body);
    return upload(`/me/groups/${groupId}/poster`, {
      ...common(await revisionOf(setting, `/me/groups/${groupId}`)),
      file: await setting.artist.file(await poster()),
      operation: 'add',
      slot: 'poster',
      groupId,
    });
  },

  'a replacement': async (setting) => {
    const asset = await ownAsset(setting);
    return upload('/me/assets', {
      ...common(asset.updatedAt),
      file: await setting.artist.file(await poster()),
      operation: 'replace',
      slot: 'poster',
      targetKind: 'movie',
      targetId: works.movie.id,
      previousAssetId: asset.id,
    });
  },

  'an edit of an Asset': async (setting) => {
    const { id, updatedAt } = await ownAsset(setting);
    return {
      operation: 'edit_asset_metadata',
      path: `/me/assets/${id}/metadata`,
      arguments: { ...common(updatedAt), assetId: id, languageCode: 'fr', editionId: 2 },
      make: (mutations, args, call) =>
        mutations.perform(
          'edit_asset_metadata',
          { assetId: id, languageCode: 'fr', editionId: 2, ...args },
          call,
        ),
    };
  },

  'a preview frame': async (setting) => {
    const bytes = await animation(400, 600, 3, 'webp');
    const { id, updatedAt } = await ownAsset(setting, '/me/assets', { bytes, contentType: 'image/webp' });
    return {
      operation: 'select_preview_frame',
      path: `/me/assets/${id}/preview`,
      arguments: { ...common(updatedAt), assetId: id, selectedSourceFrame: 2 },
      make: (mutations, args, call) =>
        mutations.perform('select_preview_frame', { assetId: id, selectedSourceFrame: 2, ...args }, call),
    };
  },

  'a new Boxset': async () => {
    const group = { kind: 'boxset' as const, title: `Boxset ${randomUUID()}`, setIds: [] };
    return {
      operation: 'create_group',
      path: '/me/groups',
      arguments: { ...common(null), ...group },
      make: (mutations, args, call) => mutations.perform('create_group', { ...group, ...args }, call),
    };
  },

  'an edit of a group': async (setting) => {
    const edit = { groupId: groups.empty, title: `Renamed ${randomUUID()}`, description: 'By its owner.' };
    return {
      operation: 'edit_group',
      path: `/me/groups/${groups.empty}`,
      arguments: { ...common(await revisionOf(setting, `/me/groups/${groups.empty}`)), ...edit },
      make: (mutations, args, call) => mutations.perform('edit_group', { ...edit, ...args }, call),
    };
  },

  'a new Talent Set': async ({ studio }) => {
    const person = studio.catalogue.database
      .only("SELECT min(id) AS id FROM entities WHERE kind = 'person'")
      .integer('id');
    const set = {
      setKind: 'talent_set' as const,
      titleBase: `Talent ${randomUUID()}`,
      entryTargetKind: 'person',
      entryTargetId: person,
    };
    return {
      operation: 'create_grouping_set',
      path: '/me/grouping-sets',
      arguments: { ...common(null), ...set },
      make: (mutations, args, call) => mutations.perform('create_grouping_set', { ...set, ...args }, call),
    };
  },

  'an assignment': async (setting) => {
    const { setId, target } = await newTalentSet(setting);
    const asset = await ownAsset(setting, '/me/assets', null, target);
    const items = [
      { existingAssetId: asset.id, expectedAssetUpdatedAt: asset.updatedAt, ...target, slot: 'poster' },
    ];
    return {
      operation: 'assign_grouping_assets',
      path: `/me/grouping-sets/${setId}/assets`,
      arguments: { ...common(await revisionOf(setting, `/me/sets/${setId}`)), setId, items },
      make: (mutations, args, call) =>
        mutations.perform('assign_grouping_assets', { setId, items, ...args }, call),
    };
  },

  'a new relationship': async ({ studio, token }) => {
    const none = { targetKind: 'user', targetId: 3, relationship: null };
    await studio.catalogue.post('/me/relationships', token, none);
    const change = { targetKind: 'user', targetId: 3, relationship: 'follow' as const };
    return {
      operation: 'change_relationship',
      path: '/me/relationships',
      arguments: { ...common(null), ...change },
      make: (mutations, args, call) => mutations.perform('change_relationship', { ...change, ...args }, call),
    };
  },
};

export function wishNamed(name: string, setting: Setting): Promise<Wish> {
  const prepare = wishes[name];
  if (prepare === undefined) throw new Error(`There is no wish for ${name}.`);
  return prepare(setting);
}

function upload(path: string, whole: Arguments<'upload_asset'>): Wish {
  return {
    operation: 'upload_asset',
    path,
    arguments: { ...whole },
    make: (mutations, args, call) => mutations.perform('upload_asset', { ...whole, ...args }, call),
  };
}

async function newTalentSet({ studio, token }: Setting) {
  const targetId = studio.catalogue.database
    .only("SELECT min(id) AS id FROM entities WHERE kind = 'person'")
    .integer('id');
  const { body } = await studio.catalogue.post('/me/grouping-sets', token, {
    setKind: 'talent_set',
    titleBase: `Talent ${randomUUID()}`,
    entryTargetKind: 'person',
    entryTargetId: targetId,
  });
  return { setId: idOf(body), target: { targetKind: 'person', targetId } };
}

function idOf(body: unknown): number {
  const data: unknown = body instanceof Object && 'data' in body ? body.data : null;
  for (const name of ['setId', 'groupId', 'id']) {
    const id: unknown = data instanceof Object ? Reflect.get(data, name) : undefined;
    if (typeof id === 'number') return id;
  }
  throw new Error(`There is no id: ${JSON.stringify(body)}`);
}

/** What is common to all mutations, of a wish. */
export function guardedOf({ arguments: { clientMutationId, expectedUpdatedAt } }: Wish): Guarded {
  return { clientMutationId, expectedUpdatedAt };
}
