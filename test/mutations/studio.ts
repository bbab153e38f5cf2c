import { afterAll } from 'vitest';
import { plantWorks } from '../sandbox/me-works.ts';
import {
  everyScope as everyScopeText,
  type OwnersCatalogue,
  startCatalogue,
} from '../sandbox/me-catalogue.ts';
import { type Artist, type ArtistOptions, startArtist } from './artist.ts';
import { type Wish, wishNamed } from './wishes.ts';

/** An embedded catalogue that fails where a test wants it to, and people who change things there. */
export interface Studio {
  readonly catalogue: OwnersCatalogue;
  /** Account 1, unless told otherwise. */
  artist(options?: Partial<ArtistOptions> & { readonly account?: number }): Promise<Artist>;
  /** What is to go wrong next, in this order. */
  queue(...faults: object[]): Promise<void>;
  /** How often a mutation was really applied. */
  applied(clientMutationId: string): Promise<number>;
  /** How often something was posted to this path below `{base_url}` since the last call of `forget`. */
  posts(path: string): Promise<number>;
  /** Forgets faults that are still queued, and counts posts from now on. */
  forget(): Promise<void>;
  close(): Promise<void>;
}

export async function startStudio(): Promise<Studio> {
  const catalogue = await startCatalogue();
  plantWorks(catalogue.database);
  const artists: Artist[] = [];
  let forgotten = 0;

  const control = async (method: string, name: string, body?: object): Promise<Record<string, unknown>> => {
    const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const answer = await fetch(`${catalogue.sandbox.origin}/.sandbox/${name}`, {
      method,
      ...(body === undefined ? {} : json),
    });
    if (!answer.ok) throw new Error(`The catalogue takes no such fault: ${await answer.text()}`);
    return Object.fromEntries(Object.entries((await answer.json()) as object));
  };
  const list = async (name: string): Promise<Record<string, unknown>[]> => {
    const { [name]: found } = await control('GET', name);
    return Array.isArray(found) ? found : [];
  };

  return {
    catalogue,
    async artist({ account = 1, ...options } = {}) {
      const scopes = options.scopes?.join(' ') ?? everyScopeText;
      const artist = await startArtist({
        baseUrl: catalogue.baseUrl,
        token: () => catalogue.token(account, scopes),
        subject: String(account),
        ...options,
      });
      artists.push(artist);
      return artist;
    },
    async queue(...faults) {
      await control('POST', 'faults', faults);
    },
    applied: async (id) => (await list('effects')).filter((one) => one.clientMutationId === id).length,
    posts: async (path) =>
      (await list('requests')).slice(forgotten).filter((one) => one.method === 'POST' && one.path === path)
        .length,
    async forget() {
      await control('DELETE', 'faults');
      forgotten = (await list('requests')).length;
    },
    async close() {
      for (const artist of artists) await artist.leave();
      await catalogue.stop();
    },
  };
}

/** A studio with one artist, for the tests of one file; its `prepare` readies a wish and forgets what was posted for it. */
export async function openStudio() {
  const studio = await startStudio();
  afterAll(() => studio.close());
  const artist = await studio.artist();
  const token = await studio.catalogue.token(1);
  const prepare = async (name: string): Promise<Wish> => {
    const wish = await wishNamed(name, { studio, artist, token });
    await studio.forget();
    return wish;
  };
  return { studio, artist, token, prepare };
}
