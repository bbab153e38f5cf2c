import { createHash } from 'node:crypto';
import type { Deadline } from '../deadline.ts';
import { ArtworkError } from '../errors.ts';
import { type ImageFormat, imageFormat } from '../files/decode.ts';
import type { Head } from '../wire/exchange.ts';
import { type Endpoint, unlessAborted } from './call.ts';
import {
  createDispatchers,
  type Dispatchers,
  guardedLookup,
  isLoopbackHost,
  type Reach,
  refuseForbiddenHost,
} from './dispatchers.ts';
import { networkFailure } from './failures.ts';
import type { Reader, ReadTarget } from './reader.ts';

// Enough for any catalogue; a bound because what it holds comes from answers.
const most = 256;
const mostPerAnswer = 16;

/** As a structured field has it (RFC 9530), and as the header before it had (RFC 3230). */
const fields = [
  ['content-digest', /(?:^|[,\s])sha-256=:([A-Za-z0-9+/]{43}=):/i],
  ['repr-digest', /(?:^|[,\s])sha-256=:([A-Za-z0-9+/]{43}=):/i],
  ['digest', /(?:^|[,\s])sha-256=([A-Za-z0-9+/]{43}=)/i],
] as const;

/**
 * Holds bytes against the digest that the answer's head declares, where it declares one and no content encoding stands
 * between them. The interface document shows no digest of pictures, but gateways may add one.
 * @throws ArtworkError `bad_response`
 */
function requireDeclaredDigest({ headers, status }: Head, body: Buffer): void {
  if (!/^(?:identity)?$/i.test((headers['content-encoding'] ?? '').trim())) return;
  const digest = createHash('sha256').update(body).digest('base64');
  for (const [name, form] of fields) {
    const [, declared] = form.exec(String(headers[name] ?? '')) ?? [];
    if (declared === undefined || declared === digest) continue;
    throw new ArtworkError('bad_response', 'What arrived is not what the answer’s digest says was sent.', {
      code: 'digest_mismatch',
      status,
    });
  }
}

/** Bytes whose first ones say that they are an image of one of four types; they have not been decoded. */
export interface CatalogueImage {
  readonly url: string;
  readonly mediaType: `image/${ImageFormat}`;
  readonly bytes: Buffer;
}

interface ImageOptions {
  readonly read: Reader;
  /** For the base URL's and the asset origin: a person named them, so they may be anywhere. */
  readonly configured: Dispatchers;
  readonly maxBytes: number;
}

/** Reads the bytes of pictures, from the service and from the hosts that its answers name. */
export function createImages({ read, configured, maxBytes }: ImageOptions) {
  const origins = new Set<string>();
  const foreign = (reach: Reach) =>
    createDispatchers({ connections: 4, idleMs: 4000, lookup: guardedLookup(reach) });
  const guarded: Record<Reach, Dispatchers> = {
    public: foreign('public'),
    'public or loopback': foreign('public or loopback'),
  };

  const target = async (ref: string, found: Endpoint, learn: () => Promise<unknown>): Promise<ReadTarget> => {
    const url = resolve(ref, found.assetOrigin);
    const path = url.pathname + url.search;
    if (url.origin === found.assetOrigin || url.origin === found.origin) {
      return { dispatcher: configured.for(url.origin), origin: url.origin, path };
    }
    if (!origins.has(url.origin)) await learn();
    if (!origins.has(url.origin))
      throw notFetched(
        `${url.host} is not a host that the catalogue has named, so give a URL that metadataImages of an answer holds`,
      );
    if (url.protocol !== 'https:' && !isLoopbackHost(url.hostname)) throw notFetched('the URL is not https');
    const reach: Reach = found.local ? 'public or loopback' : 'public';
    try {
      await refuseForbiddenHost(url.hostname, reach);
    } catch (error) {
      throw error instanceof Error ? networkFailure(url.origin, error, maxBytes) : error;
    }
    return { dispatcher: guarded[reach].for(url.origin), origin: url.origin, path };
  };

  return {
    /** Learns the origins that an entity's `metadataImages` name: the only foreign ones that are ever fetched from. */
    learn(images: unknown): void {
      if (typeof images !== 'object' || images === null) return;
      for (const image of Object.values(images).slice(0, mostPerAnswer)) {
        if (typeof image !== 'string' || !URL.canParse(image)) continue;
        const { origin } = new URL(image);
        // To the end again: the ones seen last are the ones asked for next.
        origins.delete(origin);
        origins.add(origin);
      }
      for (const oldest of origins) {
        if (origins.size <= most) break;
        origins.delete(oldest);
      }
    },
    /**
     * `ref` is a root-relative path, resolved against the asset origin, or an absolute URL. `learn` is called
     * once when the URL's host has not been seen, to read what may name it.
     */
    async fetch(ref: string, deadline: Deadline, learn: () => Promise<unknown>): Promise<CatalogueImage> {
      let url = ref;
      const answer = await read(
        {
          to: async (found) => {
            const to = await unlessAborted(deadline.signal, target(ref, found, learn));
            url = to.origin + to.path;
            return to;
          },
          accept: 'image/png, image/jpeg, image/webp, image/gif',
          maxBytes,
        },
        deadline,
      );
      requireDeclaredDigest(answer.head, answer.body);
      const format = imageFormat(answer.body);
      if (format !== null) return { url, mediaType: `image/${format}`, bytes: answer.body };
      throw new ArtworkError('bad_response', 'What was fetched is not a PNG, JPEG, WebP or GIF image.', {
        status: answer.head.status,
      });
    },
    async destroy(): Promise<void> {
      await Promise.all(Object.values(guarded).map((dispatchers) => dispatchers.destroy()));
    },
  };
}

function resolve(ref: string, assetOrigin: string): URL {
  const relative = ref.startsWith('/');
  if (!relative && !/^https?:\/\//i.test(ref)) {
    throw notFetched('it is neither a path that starts with a slash nor an http(s) URL');
  }
  if (!URL.canParse(ref, assetOrigin)) throw notFetched('it is not a URL');
  const url = new URL(ref, assetOrigin);
  // "//host/…", "/\host/…" and the like read as a path but are another host's.
  if (relative && url.origin !== assetOrigin) throw notFetched('the path leads to another host');
  if (url.username !== '' || url.password !== '') throw notFetched('the URL carries a user name');
  return url;
}

function notFetched(why: string): ArtworkError {
  return new ArtworkError('invalid_arguments', `The image is not fetched: ${why}.`);
}
