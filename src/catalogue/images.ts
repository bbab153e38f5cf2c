import { type Deadline, unlessAborted } from '../deadline.ts';
import { ArtworkError } from '../errors.ts';
import { type ImageFormat, imageFormat } from '../files/decode.ts';
import { createDispatchers, type Dispatchers } from '../http/dispatchers.ts';
import { guardedLookup, isForbiddenNumber, isLoopbackHost, type Reach } from '../http/reach.ts';
import type { Endpoint } from './call.ts';
import type { Reader, ReadTarget } from './reader.ts';

// Enough for any catalogue; a bound because what it holds comes from answers.
const mostOrigins = 256;

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

/** Reads the bytes of pictures, without credentials, from the service and from the hosts that its answers name. */
export function createImages({ read, configured, maxBytes }: ImageOptions) {
  const origins = new Set<string>();
  const foreign = (reach: Reach) => createDispatchers({ connections: 4, lookup: guardedLookup(reach) });
  const guarded: Record<Reach, Dispatchers> = {
    public: foreign('public'),
    'public or loopback': foreign('public or loopback'),
  };

  const targetOf = async (url: URL, found: Endpoint, learn: () => Promise<unknown>): Promise<ReadTarget> => {
    const { origin, hostname } = url;
    const path = url.pathname + url.search;
    if (origin === found.assetOrigin || origin === found.origin) {
      return { dispatcher: configured.for(origin), origin, path };
    }
    if (!origins.has(origin)) await learn();
    if (!origins.has(origin)) {
      throw notFetched(
        `the catalogue has not named the host ${url.host}; give a URL from the metadataImages of an answer`,
      );
    }
    if (url.protocol !== 'https:' && !isLoopbackHost(hostname)) throw notFetched('the URL is not https');
    const reach: Reach = found.local ? 'public or loopback' : 'public';
    if (isForbiddenNumber(hostname, reach)) throw notFetched(`${url.host} is not a public address`);
    return { dispatcher: guarded[reach].for(origin), origin, path };
  };

  return {
    /** Learns the origins that an entity's `metadataImages` name: the only foreign ones that are ever fetched from. */
    learn(images: Readonly<Record<string, unknown>>): void {
      if (origins.size >= mostOrigins) origins.clear();
      for (const image of Object.values(images).slice(0, 16)) {
        if (typeof image === 'string' && URL.canParse(image)) origins.add(new URL(image).origin);
      }
    },
    /**
     * `ref` is a root-relative path, resolved against the asset origin, or an absolute URL. `learn` is called once when
     * the URL's host has not been seen, to read what may name it.
     * @throws ArtworkError `invalid_arguments` for what may not be fetched, `bad_response` for what is no image
     */
    async fetch(ref: string, deadline: Deadline, learn: () => Promise<unknown>): Promise<CatalogueImage> {
      let url = new URL('invalid:');
      const to = (found: Endpoint) => {
        url = resolve(ref, found.assetOrigin);
        return unlessAborted(deadline.signal, targetOf(url, found, learn));
      };
      const accept = 'image/png, image/jpeg, image/webp, image/gif';
      const { head, body } = await read({ to, accept, maxBytes }, deadline);
      const format = imageFormat(body);
      const shown = url.origin + url.pathname + url.search;
      if (format !== null) return { url: shown, mediaType: `image/${format}`, bytes: body };
      const message = 'What was fetched is not a PNG, JPEG, WebP or GIF image.';
      throw new ArtworkError('bad_response', message, { status: head.status });
    },
    async destroy(): Promise<void> {
      await Promise.all(Object.values(guarded).map((dispatchers) => dispatchers.destroy()));
    },
  };
}

function resolve(ref: string, assetOrigin: string): URL {
  const isPath = ref.startsWith('/');
  if (!isPath && !/^https?:\/\//i.test(ref)) {
    throw notFetched('it is neither a path that starts with a slash nor an http(s) URL');
  }
  if (!URL.canParse(ref, assetOrigin)) throw notFetched('it is not a URL');
  const url = new URL(ref, assetOrigin);
  // "//host/…", "/\host/…" and the like read as a path but are another host's.
  if (isPath && url.origin !== assetOrigin) throw notFetched('the path leads to another host');
  if (url.username !== '' || url.password !== '') throw notFetched('the URL carries a user name');
  return url;
}

function notFetched(why: string): ArtworkError {
  return new ArtworkError('invalid_arguments', `The image is not fetched: ${why}.`);
}
