import { z } from 'zod';
import type { Deadline } from '../deadline.ts';
import { ArtworkError } from '../errors.ts';
import type { Log } from '../log.ts';
import { answerBytes } from './answer-body.ts';
import { createEndpointFinder, type Locate, readUntil, resolveNextPage, type ServicePath } from './call.ts';
import { createDispatchers, type OpenConnection } from './dispatchers.ts';
import { type CatalogueImage, createImages } from './images.ts';
import { createOpener, createReader, requireSame } from './reader.ts';
import { episodesIndex } from './records/entities.ts';
import {
  type EntityKind,
  type EntityOf,
  entities,
  type FeedItem,
  type FeedName,
  feeds,
  type IndexedEpisode,
  type ResourceRecord,
  type SetKind,
  type SetOf,
  sets,
} from './records/kinds.ts';
import type { OnReading } from './records/owned.ts';
import { closeEntity, closeFeedItem, closeIndexedEpisode, closeSet } from './records/shown.ts';
import { createSender, type SendOutcome, type SendRequest } from './send.ts';

export type { OpenConnection } from './dispatchers.ts';
export type { OnReading } from './records/owned.ts';
export type { SendOutcome, SendRequest } from './send.ts';

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

/**
 * Public reads of the catalogue (interface document, Endpoints: Public reads). Every string of an answer is
 * already free of control and bidirectional-override characters. Rejections are ArtworkErrors.
 */
export interface Catalogue {
  readEntity<Kind extends EntityKind>(
    kind: Kind,
    id: number | string,
    deadline?: Deadline,
  ): Promise<EntityOf<Kind>>;
  readSet<Kind extends SetKind>(kind: Kind, id: number | string, deadline?: Deadline): Promise<SetOf<Kind>>;
  /** The first page for null, else the one that a page's `nextPage` names. */
  readEpisodesPage(nextPage: string | null, deadline?: Deadline): Promise<CataloguePage<IndexedEpisode>>;
  /**
   * The first page for null (it makes a snapshot), else the one that a page's `nextPage` names.
   * `snapshot_expired` when the snapshot is gone: start again with null.
   */
  readFeedPage<Feed extends FeedName>(
    feed: Feed,
    nextPage: string | null,
    deadline?: Deadline,
  ): Promise<CataloguePage<FeedItem<Feed>>>;
  /**
   * `ref` is a root-relative path of a Set, or an absolute URL of an entity's `metadataImages`.
   * `bad_response` when it is not an image, `invalid_arguments` when it may not be fetched.
   * @param seenIn is read to learn its `metadataImages` when the URL's host has not been seen yet
   */
  fetchImage(
    ref: string,
    deadline?: Deadline,
    seenIn?: { readonly kind: EntityKind; readonly id: number | string },
  ): Promise<CatalogueImage>;
  /** Sends a POST once and says what became of it; see createSender. Never rejects. */
  send(request: SendRequest, deadline?: Deadline): Promise<SendOutcome>;
  /** Ends every connection; calls in flight reject. */
  close(): Promise<void>;
}

export interface CatalogueOptions {
  readonly locate: Locate;
  /** How connections to the catalogue are opened, where that takes more than TCP and TLS. */
  readonly open?: OpenConnection | undefined;
  /** Names the program and its version. */
  readonly userAgent: string;
  readonly limits?: Partial<Limits> | undefined;
  /** Told of fields that are not what the interface document says. */
  readonly log?: Log | undefined;
  readonly onReading?: OnReading | undefined;
}

export interface Limits {
  /** Parallel connections to one origin; the interface document names no rate limit, so few. */
  readonly connections: number;
  /** Bytes of an answer, before and after its content encoding. */
  readonly answerBytes: number;
  readonly imageBytes: number;
  /** Milliseconds that the service may be silent, before an answer or within it, until a read is tried again. */
  readonly silenceMs: number;
  /** How often a read is sent at most, the first time counted. */
  readonly tries: number;
}

const defaultLimits: Limits = {
  connections: 6,
  answerBytes,
  imageBytes: 32 * 1024 * 1024,
  silenceMs: 20_000,
  tries: 5,
};

/** The client of the service's public reads. */
export function createCatalogue(options: CatalogueOptions): Catalogue {
  const limits = { ...defaultLimits, ...options.limits };
  const { open: openConnection, onReading } = options;
  const dispatchers = createDispatchers({
    connections: limits.connections,
    idleMs: 4000,
    open: openConnection,
  });
  const endpoints = createEndpointFinder(options.locate);
  const read = createReader(endpoints, options.userAgent, limits.silenceMs, limits.tries);
  const sender = createSender(endpoints, options.userAgent, openConnection);
  const open = createOpener(options.log);
  const images = createImages({ read, configured: dispatchers, maxBytes: limits.imageBytes });

  const get = (path: ServicePath, within: Deadline) =>
    read(
      {
        to: ({ origin, prefix }) => ({ dispatcher: dispatchers.for(origin), origin, path: prefix + path }),
        accept: 'application/json',
        maxBytes: limits.answerBytes,
      },
      within,
    );

  const readPage = async <Fields, Item>(
    list: { readonly path: ServicePath; readonly schema: z.ZodType<Fields> },
    close: (fields: Fields) => Item,
    nextPage: string | null,
    deadline?: Deadline,
  ): Promise<CataloguePage<Item>> => {
    return readUntil(deadline, async (within) => {
      const path =
        nextPage === null
          ? list.path
          : resolveNextPage(nextPage, list.path, (await endpoints.find(within)).prefix);
      const { items, meta } = open.list(await get(path, within), z.array(list.schema), path);
      return {
        items: items.map(close),
        nextPage: meta.nextPage ?? null,
        page: meta.page ?? null,
        totalPages: meta.totalPages ?? null,
        snapshot: meta.snapshot ?? null,
      };
    });
  };

  /** What is read by its id, or is not there. */
  const readById = async <Value extends { readonly id?: string | number | null | undefined }>(
    kind: EntityKind | SetKind,
    record: ResourceRecord<Value>,
    id: number | string,
    within: Deadline,
  ): Promise<Value> => {
    try {
      const path = record.path(id);
      const found = open.record(await get(path, within), record.schema, path);
      requireSame(found.id, id, path);
      return found;
    } catch (error) {
      if (error instanceof ArtworkError && error.status === 404) onReading?.({ of: 'gone', kind, id });
      throw error;
    }
  };

  const readEntity = async <Kind extends EntityKind>(kind: Kind, id: number | string, within: Deadline) => {
    const fields = await readById(kind, entities[kind], id, within);
    images.learn('metadataImages' in fields ? fields.metadataImages : undefined);
    const entity = closeEntity<Kind>(fields);
    onReading?.({ of: 'entity', kind, record: entity });
    return entity;
  };

  const readSet = async <Kind extends SetKind>(kind: Kind, id: number | string, within: Deadline) => {
    const set = closeSet<Kind>(await readById(kind, sets[kind], id, within));
    onReading?.({ of: 'set', kind, record: set });
    return set;
  };

  return {
    readEntity: (kind, id, deadline) => readUntil(deadline, (within) => readEntity(kind, id, within)),
    readSet: (kind, id, deadline) => readUntil(deadline, (within) => readSet(kind, id, within)),
    async readEpisodesPage(nextPage, deadline) {
      const page = await readPage(episodesIndex, closeIndexedEpisode, nextPage, deadline);
      onReading?.({ of: 'episodes', items: page.items });
      return page;
    },
    async readFeedPage(feed, nextPage, deadline) {
      const page = await readPage(feeds[feed], closeFeedItem<typeof feed>, nextPage, deadline);
      onReading?.({ of: 'feed', items: page.items });
      return page;
    },
    fetchImage: (ref, deadline, seenIn) =>
      readUntil(deadline, (within) =>
        images.fetch(ref, within, async () => {
          if (seenIn !== undefined) await readEntity(seenIn.kind, seenIn.id, within);
        }),
      ),
    send: sender.send,
    async close() {
      await Promise.all([dispatchers.destroy(), images.destroy(), sender.destroy()]);
    },
  };
}
