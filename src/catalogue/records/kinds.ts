import type { z } from 'zod';
import type { ServicePath } from '../call.ts';
import { assetFeed, entityRecords, setFeed } from './entities.ts';
import { setRecords } from './sets.ts';
import type { EntityFields, EntityKind, FeedFields, FeedName, SetFields, SetKind } from './shown.ts';

/** One resource of the interface document: where it is read, and what it looks like. */
export interface ResourceRecord<Value> {
  path(id: number | string): ServicePath;
  readonly schema: z.ZodType<Value>;
}

export type {
  AnySet,
  Entity,
  EntityKind,
  EntityOf,
  FeedItem,
  FeedName,
  IndexedEpisode,
  SetKind,
  SetOf,
} from './shown.ts';

/** The entities of the interface document (Public reads), by kind. */
export const entities: { readonly [Kind in EntityKind]: ResourceRecord<EntityFields<Kind>> } = entityRecords;

/** The Sets and groups of the interface document (Public reads), by kind. */
export const sets: { readonly [Kind in SetKind]: ResourceRecord<SetFields<Kind>> } = setRecords;

/** The two activity feeds (Events). */
export const feeds: {
  readonly [Feed in FeedName]: { readonly path: ServicePath; readonly schema: z.ZodType<FeedFields[Feed]> };
} = { assets: assetFeed, sets: setFeed };
