import type { z } from 'zod';
import { type Deadline, readUntil } from '../deadline.ts';
import { createDispatchers, type OpenConnection } from '../http/dispatchers.ts';
import { openList, openRecord, requireSame } from './answer.ts';
import { createEndpointFinder, type Locate, resolveNextPage, type ServicePath } from './call.ts';
import { type CatalogueImage, createImages } from './images.ts';
import { createReader, jsonAt } from './reader.ts';
import {
  type AnySet,
  type CatalogueReading,
  type Entity,
  type EntityKind,
  entities,
  entityRecord,
  episodesIndex,
  type FeedItem,
  type FeedName,
  feeds,
  type IndexedEpisode,
  type SetKind,
  setRecord,
  sets,
} from './records/kinds.ts';
import { createSender } from './send.ts';

/** One page of a feed or of the episodes index. */
export interface CataloguePage<Item> {
  readonly items: readonly Item[];
  /** What follows, for the same function again; null on the last page. */
  readonly nextPage: string | null;
  readonly page: number | null;
  readonly totalPages: number | null;
  /** Feeds only: the snapshot that all pages of one reading belong to. */
  readonly snapshot: string | null;
}

export type Catalogue = ReturnType<typeof createCatalogue>;

export interface CatalogueOptions {
  readonly locate: Locate;
  /** How connections to the catalogue are opened, where that takes more than TCP and TLS. */
  readonly open?: OpenConnection | undefined;
  /** Names the program and its version. */
  readonly userAgent: string;
  readonly limits?: Partial<typeof usualLimits> | undefined;
  /** Is told of each reading before its caller has it; must not throw, and does its work later. */
  readonly onReading?: ((reading: CatalogueReading) => void) | undefined;
}

const usualLimits = {
  /** Parallel connections to one origin; the interface document names no rate limit, so few. */
  connections: 6,
  /** Milliseconds that the service may be silent, before an answer or within it, until a read is tried again. */
  silenceMs: 20_000,
  /** How often a read is sent at most, the first time counted. */
  tries: 5,
};
const imageBytes = 32 * 1024 * 1024;

/**
 * Public reads of the catalogue (interface document, Endpoints: Public reads), and what is sent to it. Every string of an
 * answer is already free of control and bidirectional-override characters. Rejections are ArtworkErrors.
 */
export function createCatalogue({ locate, open, userAgent, limits, onReading }: CatalogueOptions) {
  const { connections, silenceMs, tries } = { ...usualLimits, ...limits };
  const dispatchers = createDispatchers({ connections, open });
  const endpoints = createEndpointFinder(locate);
  const read = createReader(endpoints, userAgent, silenceMs, tries);
  const sender = createSender(endpoints, userAgent, open);
  const images = createImages({ read, configured: dispatchers, maxBytes: imageBytes });
  const get = (path: ServicePath, within: Deadline) => read(jsonAt(path, dispatchers), within);

  const readPage = <Item>(
    { path: first, schema }: { readonly path: ServicePath; readonly schema: z.ZodType<Item> },
    asked: string | null,
    deadline: Deadline | undefined,
  ): Promise<CataloguePage<Item>> =>
    readUntil(deadline, async (within) => {
      const path = resolveNextPage(asked, first, await endpoints.find(within));
      const { items, meta } = openList(await get(path, within), schema, path);
      const { nextPage = null, page = null, totalPages = null, snapshot = null } = meta;
      return { items, nextPage, page, totalPages, snapshot };
    });

  /** What is read by its id, or is not there. */
  const readById = async <Value extends { readonly id?: string | number | null | undefined }>(
    schema: z.ZodType<Value>,
    path: ServicePath,
    id: number | string,
    within: Deadline,
  ): Promise<Value> => {
    const found = openRecord(await get(path, within), schema, path);
    requireSame(found.id, id, path);
    return found;
  };

  const readEntity = async (kind: EntityKind, id: number | string, within: Deadline): Promise<Entity> => {
    const record = await readById(entityRecord, entities[kind](id), id, within);
    images.learn(record.metadataImages ?? {});
    onReading?.({ of: 'entity', kind, record });
    return record;
  };

  return {
    readEntity: (kind: EntityKind, id: number | string, deadline?: Deadline): Promise<Entity> =>
      readUntil(deadline, (within) => readEntity(kind, id, within)),
    readSet: (kind: SetKind, id: number | string, deadline?: Deadline): Promise<AnySet> =>
      readUntil(deadline, async (within) => {
        const record = await readById(setRecord, sets[kind](id), id, within);
        onReading?.({ of: 'set', kind, record });
        return record;
      }),
    /** The first page for null, else the one that a page's `nextPage` names. */
    async readEpisodesPage(nextPage: string | null, deadline?: Deadline) {
      const page = await readPage<IndexedEpisode>(episodesIndex, nextPage, deadline);
      onReading?.({ of: 'episodes', items: page.items });
      return page;
    },
    /**
     * The first page for null (it makes a snapshot), else the one that a page's `nextPage` names. `snapshot_expired` when
     * the snapshot is gone: start again with null.
     */
    async readFeedPage<Feed extends FeedName>(feed: Feed, nextPage: string | null, deadline?: Deadline) {
      const page = await readPage<FeedItem<Feed>>(feeds[feed], nextPage, deadline);
      onReading?.({ of: 'feed', items: page.items });
      return page;
    },
    /**
     * `ref` is a root-relative path of a Set, or an absolute URL of an entity's `metadataImages`. `bad_response` when it
     * is not an image, `invalid_arguments` when it may not be fetched.
     * @param seenIn is read to learn its `metadataImages` when the URL's host has not been seen yet
     */
    fetchImage: (
      ref: string,
      deadline?: Deadline,
      seenIn?: { readonly kind: EntityKind; readonly id: number | string },
    ): Promise<CatalogueImage> =>
      readUntil(deadline, (within) =>
        images.fetch(ref, within, async () => {
          if (seenIn !== undefined) await readEntity(seenIn.kind, seenIn.id, within);
        }),
      ),
    send: sender.send,
    /** Ends every connection; calls in flight reject. */
    async close(): Promise<void> {
      await Promise.all([dispatchers.destroy(), images.destroy(), sender.destroy()]);
    },
  };
}
