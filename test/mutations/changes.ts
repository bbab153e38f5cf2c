import type { Guarded, OperationName } from '../../src/mutations/operations/index.ts';
import type { Process } from '../simulation/agent.ts';
import { assets, groupId, setId } from '../simulation/owned-set.ts';
import type { Said, Stage } from './stage.ts';

/** One of the ten changes, as a test makes it on a stage. */
export interface Change {
  readonly name: string;
  readonly tool: OperationName;
  /** What its first request is posted to. */
  readonly path: RegExp;
  /** What a repetition can be told by: its id, the revision of what it changes, or nothing. */
  readonly told: 'id' | 'revision' | 'nothing';
  /** Its arguments, with the revision that fits. */
  args(stage: Stage, clientMutationId: string): Guarded & Readonly<Record<string, unknown>>;
  /** Makes another intent of it. */
  readonly other: Record<string, unknown>;
}

const none = { expectedUpdatedAt: 'none' };
const place = { slot: 'poster', targetKind: 'reel', targetId: 11 };

export const changes: readonly Change[] = [
  {
    name: 'an upload',
    tool: 'upload_asset',
    path: /^\/me\/assets$/,
    told: 'id',
    args: (stage, clientMutationId) => {
      const file = stage.picture('one').path;
      return { clientMutationId, ...none, operation: 'add', file, ...place };
    },
    other: { slot: 'backdrop' },
  },
  {
    name: 'a replacement',
    tool: 'upload_asset',
    path: /^\/me\/assets$/,
    told: 'id',
    args: (stage, clientMutationId) => {
      const replaced = { previousAssetId: assets.superseded.id, expectedUpdatedAt: 'a1' };
      const file = stage.picture('two').path;
      return { clientMutationId, operation: 'replace', file, ...place, ...replaced };
    },
    other: { languageCode: 'de' },
  },
  {
    name: 'an edit of metadata',
    tool: 'edit_asset_metadata',
    path: /\/metadata$/,
    told: 'revision',
    args: (_, clientMutationId) => ({
      ...{ clientMutationId, expectedUpdatedAt: 'a1' },
      ...{ assetId: assets.edited.id, languageCode: 'de' },
    }),
    other: { languageCode: 'fr' },
  },
  {
    name: 'a preview frame',
    tool: 'select_preview_frame',
    path: /\/preview$/,
    told: 'revision',
    args: (stage, clientMutationId) => {
      const { id } = assets.relabelled;
      const expectedUpdatedAt = stage.shelf.put(`asset ${id}`, { id, selectedSourceFrame: 1 });
      return { clientMutationId, expectedUpdatedAt, assetId: id, selectedSourceFrame: 4 };
    },
    other: { selectedSourceFrame: 5 },
  },
  {
    name: 'a new group',
    tool: 'create_group',
    path: /^\/me\/groups$/,
    told: 'nothing',
    args: (_, clientMutationId) => ({ clientMutationId, ...none, kind: 'boxset', title: 'A box' }),
    other: { title: 'Another box' },
  },
  {
    name: 'an edit of a group',
    tool: 'edit_group',
    path: /^\/me\/groups\/./,
    told: 'revision',
    args: (_, clientMutationId) => ({ clientMutationId, expectedUpdatedAt: 'g1', groupId, title: 'New' }),
    other: { title: 'Newer' },
  },
  {
    name: 'a new grouping Set',
    tool: 'create_grouping_set',
    path: /^\/me\/grouping-sets$/,
    told: 'nothing',
    args: (_, clientMutationId) => ({
      ...{ clientMutationId, ...none, setKind: 'talent_set', titleBase: 'A talent' },
      ...{ entryTargetKind: 'person', entryTargetId: 3 },
    }),
    other: { titleBase: 'Another talent' },
  },
  {
    name: 'an assignment',
    tool: 'assign_grouping_assets',
    path: /^\/me\/grouping-sets\/./,
    told: 'revision',
    args: (stage, clientMutationId) => {
      const expectedUpdatedAt = stage.shelf.put('set 70', { id: '70', title: 'A talent', assets: [] });
      const item = { existingAssetId: assets.assigned.id, expectedAssetUpdatedAt: 'a1', ...place };
      return { clientMutationId, expectedUpdatedAt, setId: 70, items: [item] };
    },
    other: {
      items: [{ existingAssetId: assets.assigned.id, expectedAssetUpdatedAt: 'a1', ...place, slot: 'thumb' }],
    },
  },
  {
    name: 'a relationship',
    tool: 'change_relationship',
    path: /^\/me\/relationships$/,
    told: 'revision',
    args: (stage, clientMutationId) => {
      const [targetKind, targetId] = ['user', 'noor'];
      // It stands on the second page of the service's list.
      stage.shelf.put('relationship user ada', { targetKind, targetId: 'ada', relationship: 'follow' });
      const facts = { targetKind, targetId, relationship: 'hide' };
      const expectedUpdatedAt = stage.shelf.put(`relationship ${targetKind} ${targetId}`, facts);
      return { clientMutationId, expectedUpdatedAt, targetKind, targetId, relationship: 'follow' };
    },
    other: { relationship: 'clear' },
  },
  {
    name: 'a new media Set',
    tool: 'create_media_set',
    path: /^\/me\/set-uploads$/,
    told: 'id',
    args: (stage, clientMutationId) => ({
      ...{ clientMutationId, ...none, entryTargetKind: 'reel', entryTargetId: 1, titleBase: 'A Set' },
      ...{ languageCode: 'en', finalised: true, declaredFiles: itemsOf(stage, 'created') },
    }),
    other: { titleBase: 'Another Set' },
  },
  {
    name: 'an edit of a Set',
    tool: 'edit_set',
    path: /\/updates$/,
    told: 'id',
    args: (stage, clientMutationId) => ({
      ...{ clientMutationId, expectedUpdatedAt: 's1', setId, setKind: 'media_set' },
      metadata: { titleBase: 'New' },
      items: itemsOf(stage, 'added').map((item) => ({ operation: 'add', ...item })),
    }),
    other: { metadata: { titleBase: 'Newer' } },
  },
];

/** Two files at two places. */
function itemsOf(stage: Stage, name: string) {
  return [1, 2].map((number) => ({
    ...{ file: stage.picture(`${name}-${number}`).path, slot: 'poster' },
    ...{ targetKind: 'reel', targetId: 100 + number },
  }));
}

export const idOf = (number: number) => `0a0a0a0a-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Makes a change; the tools' arguments are checked by the door as any caller's are. */
export function perform(
  stage: Stage,
  process: Process,
  { tool }: Pick<Change, 'tool'>,
  args: Guarded & Readonly<Record<string, unknown>>,
  milliseconds?: number,
): Promise<Said> {
  return stage.call(process, (mutations, call) => mutations.perform(tool, args, call), milliseconds);
}

/** Makes the call that an answer names as the next one. */
export async function followNext(stage: Stage, process: Process, { next }: Said): Promise<Said> {
  const { tool, arguments: given = {} } = next ?? {};
  const args = { clientMutationId: '', expectedUpdatedAt: null, ...given };
  return stage.call(process, async (mutations, call) => {
    switch (tool) {
      case 'get_mutation_status':
        if ('submissionId' in args) throw new TypeError('That reads another one.');
        return mutations.status(args.clientMutationId, call);
      case 'resume_mutation':
        return mutations.resume(args, call);
      default:
        throw new TypeError(`Nobody follows ${tool}.`);
    }
  });
}

/** Does nothing but what answers name, until one names nothing, or something that is no matter of changes. */
export async function toEnd(stage: Stage, process: Process, said: Said): Promise<Said> {
  let last = said;
  for (let steps = 0; steps < 12; steps += 1) {
    if (!['get_mutation_status', 'resume_mutation'].includes(last.next?.tool ?? '')) return last;
    last = await followNext(stage, process, last);
  }
  throw new Error('It comes to no end.');
}
