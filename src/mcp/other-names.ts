import { kindMeantBy, kindNamed, setKindNamed } from '../model/kinds.ts';
import { nearestWord } from './nearest.ts';

/** Names of an argument in sister tools and in other programs. */
const alsoCalled: Readonly<Record<string, readonly string[]>> = {
  id: ['setId', 'groupId', 'assetId', 'targetId', 'entryTargetId', 'entityId', 'identifier'],
  kind: ['type', 'setKind', 'targetKind', 'entryTargetKind', 'entityKind', 'entityType'],
  type: ['kind', 'targetKind', 'ownedType'],
  targetId: ['id', 'entityId', 'entryTargetId'],
  targetKind: ['kind', 'type', 'entityKind', 'entityType', 'entryTargetKind'],
  entryTargetId: ['id', 'targetId', 'entityId'],
  entryTargetKind: ['kind', 'targetKind', 'type', 'entityKind'],
  setId: ['id', 'set'],
  groupId: ['id', 'group', 'boxsetId', 'loadoutId'],
  assetId: ['id', 'asset', 'existingAssetId'],
  existingAssetId: ['assetId', 'id'],
  previousAssetId: ['expectedPreviousAssetId', 'replaces'],
  expectedPreviousAssetId: ['previousAssetId', 'replaces'],
  expectedAssetUpdatedAt: ['expectedUpdatedAt', 'updatedAt', 'revision'],
  expectedUpdatedAt: ['updatedAt', 'revision'],
  clientMutationId: ['mutationId', 'id', 'uuid', 'idempotencyKey'],
  q: ['query', 'search', 'title', 'name', 'text', 'term'],
  query: ['q', 'search', 'title', 'name', 'text', 'term'],
  title: ['titleBase', 'name'],
  titleBase: ['title', 'name'],
  folder: ['path', 'directory', 'dir', 'file'],
  file: ['path', 'filePath', 'filename', 'image'],
  items: ['item', 'pictures', 'images', 'files', 'declaredFiles'],
  declaredFiles: ['files', 'items', 'pictures'],
  layout: ['format', 'server', 'style', 'for'],
  slots: ['slot', 'types'],
  slot: ['slots', 'imageType', 'artworkType', 'assetType', 'type'],
  languageCode: ['language', 'lang', 'locale'],
  setIds: ['sets', 'ids', 'members'],
  since: ['from', 'after', 'date', 'start', 'startDate', 'startTime'],
  limit: ['count', 'max', 'pageSize', 'perPage', 'per_page', 'maxResults'],
  cursor: ['nextCursor', 'pageToken', 'page_token'],
  createdBy: ['creator', 'user', 'author', 'by', 'username'],
  season: ['seasonNumber'],
  include: ['sections', 'fields', 'lists', 'expand'],
  selectedSourceFrame: ['frame', 'frameNumber'],
  relationship: ['action', 'state'],
  dryRun: ['dry_run', 'preview', 'test', 'simulate'],
};

/** The argument that was meant by a name that none has; null where none is near. */
export function argumentMeant(name: string, all: readonly string[]): string | null {
  return all.find((one) => isAlsoCalled(one, name)) ?? nearestWord(name, all);
}

function isAlsoCalled(argument: string, name: string): boolean {
  const others = Object.hasOwn(alsoCalled, argument) ? alsoCalled[argument] : undefined;
  return others?.includes(name) === true;
}

/** Pairs of arguments for a kind and its id, the likeliest first. */
const pairs = [
  ['targetKind', 'targetId'],
  ['entryTargetKind', 'entryTargetId'],
  ['kind', 'id'],
] as const;

/**
 * What a name says that holds a kind: `showId` is the id of a show.
 * @param all the arguments that there are
 * @returns the arguments for the kind and the id; null for any other name
 */
export function kindInName(
  name: string,
  all: readonly string[],
): { readonly kindIn: string; readonly kind: string; readonly idIn: string } | null {
  const [, word = ''] = /^([a-z][A-Za-z]*)_?[Ii]d$/.exec(name) ?? [];
  const words = word.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const kind = setKindNamed(words) ?? kindNamed(words) ?? kindMeantBy(words);
  const pair = pairs.find(([kindIn, idIn]) => all.includes(kindIn) && all.includes(idIn));
  if (kind === null || pair === undefined) return null;
  const [kindIn, idIn] = pair;
  return { kindIn, kind, idIn };
}
