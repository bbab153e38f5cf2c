import { randomUUID } from 'node:crypto';
import type { MutationCall, Mutations } from '../../src/mutations/mutations.ts';
import type { Arguments, Guarded } from '../../src/mutations/operations/find-operation.ts';
import type { MutationResult } from '../../src/mutations/result.ts';
import type { Artist } from './artist.ts';
import { poster } from './pictures.ts';
import type { OwnService } from './service.ts';
import type { Studio } from './studio.ts';

/** A change that can be made, by the operation's name. */
export interface Wish {
  readonly operation: string;
  /** What is posted to, below `{base_url}`. */
  readonly path: string;
  /** Everything that the call has, with the revision that fits. */
  readonly arguments: Guarded & Readonly<Record<string, unknown>>;
  make(mutations: Mutations, args: Guarded, call?: MutationCall): Promise<MutationResult>;
}

interface Setting {
  readonly studio: Studio;
  readonly artist: Artist;
}

const common = (expectedUpdatedAt: string | null) => ({ clientMutationId: randomUUID(), expectedUpdatedAt });
const movie = { kind: 'movie', id: 7 };
const person = { kind: 'person', id: 9 };
const ofMovie = { slot: 'poster', targetKind: movie.kind, targetId: movie.id } as const;
const ofPerson = { slot: 'poster', targetKind: person.kind, targetId: person.id } as const;

export function revisionOf({ sets, groups }: OwnService, of: 'set' | 'group', id: number): string {
  return String((of === 'set' ? sets : groups).get(id)?.updatedAt);
}

/** How each operation can be asked for, once each. */
export const wishes: Readonly<Record<string, (setting: Setting) => Promise<Wish>>> = {
  'an upload': async ({ artist }) =>
    upload('/me/assets', {
      ...common(null),
      file: await artist.file(await poster()),
      operation: 'add',
      ...ofMovie,
    }),

  'an upload into a Set': async ({ studio: { service }, artist }) => {
    const setId = service.plantSet('talent_set', person);
    const file = await artist.file(await poster());
    const revision = revisionOf(service, 'set', setId);
    return upload(`/me/sets/${setId}/assets`, {
      ...common(revision),
      file,
      operation: 'add',
      ...ofPerson,
      setId,
    });
  },

  'a group’s poster': async ({ studio: { service }, artist }) => {
    const groupId = service.plantGroup('A Boxset');
    const file = await artist.file(await poster());
    const slot = 'poster';
    return upload(`/me/groups/${groupId}/poster`, {
      ...common(revisionOf(service, 'group', groupId)),
      ...{ file, operation: 'add', slot, groupId },
    });
  },

  'a replacement': async ({ studio: { service }, artist }) => {
    const { id, updatedAt } = service.plantAsset(movie, 'poster');
    const file = await artist.file(await poster());
    const args = {
      ...common(updatedAt),
      file,
      operation: 'replace' as const,
      ...ofMovie,
      previousAssetId: id,
    };
    return upload('/me/assets', args);
  },

  'an edit of an Asset': async ({ studio: { service } }) => {
    const { id: assetId, updatedAt } = service.plantAsset(movie, 'poster');
    const edit = { assetId, languageCode: 'fr', editionId: 2 };
    return wish('edit_asset_metadata', `/me/assets/${assetId}/metadata`, { ...common(updatedAt), ...edit });
  },

  'a preview frame': async ({ studio: { service } }) => {
    const { id: assetId, updatedAt } = service.plantAsset(movie, 'poster', { frames: 3 });
    const args = { ...common(updatedAt), assetId, selectedSourceFrame: 2 };
    return wish('select_preview_frame', `/me/assets/${assetId}/preview`, args);
  },

  'a new Boxset': async () =>
    wish('create_group', '/me/groups', {
      ...common(null),
      ...{ kind: 'boxset', title: `Boxset ${randomUUID()}`, setIds: [] },
    }),

  'an edit of a group': async ({ studio: { service } }) => {
    const groupId = service.plantGroup('Before');
    const edit = { groupId, title: `Renamed ${randomUUID()}`, description: 'By its owner.' };
    return wish('edit_group', `/me/groups/${groupId}`, {
      ...common(revisionOf(service, 'group', groupId)),
      ...edit,
    });
  },

  'a new Talent Set': async () =>
    wish('create_grouping_set', '/me/grouping-sets', {
      ...common(null),
      ...{ setKind: 'talent_set', titleBase: `Talent ${randomUUID()}` },
      ...{ entryTargetKind: person.kind, entryTargetId: person.id },
    }),

  'an assignment': async ({ studio: { service } }) => {
    const setId = service.plantSet('talent_set', person);
    const { id: existingAssetId, updatedAt } = service.plantAsset(person, 'poster');
    return wish('assign_grouping_assets', `/me/grouping-sets/${setId}/assets`, {
      ...common(revisionOf(service, 'set', setId)),
      setId,
      items: [{ existingAssetId, expectedAssetUpdatedAt: updatedAt, ...ofPerson }],
    });
  },

  'a new relationship': async ({ studio: { service } }) => {
    service.relationships.length = 0;
    const change = { targetKind: 'user', targetId: 3, relationship: 'follow' as const };
    return wish('change_relationship', '/me/relationships', { ...common(null), ...change });
  },
};

export function wishNamed(name: string, setting: Setting): Promise<Wish> {
  const prepare = wishes[name];
  if (prepare === undefined) throw new Error(`There is no wish for ${name}.`);
  return prepare(setting);
}

function wish<Name extends Parameters<Mutations['perform']>[0] & string>(
  operation: Name,
  path: string,
  whole: Arguments<Name> & Guarded,
): Wish {
  return {
    operation,
    path,
    arguments: { ...whole },
    make: (mutations, args, call) => mutations.perform(operation, { ...whole, ...args }, call),
  };
}

function upload(path: string, whole: Arguments<'upload_asset'>): Wish {
  return wish('upload_asset', path, whole);
}

/** What is common to all mutations, of a wish. */
export function guardedOf({ arguments: { clientMutationId, expectedUpdatedAt } }: Wish): Guarded {
  return { clientMutationId, expectedUpdatedAt };
}
