import { afterAll } from 'vitest';
import { type Artist, type ArtistOptions, startArtist } from './artist.ts';
import { type Fault, OwnService } from './service.ts';
import { type Wish, wishNamed } from './wishes.ts';

/** A service that fails where a test wants it to, and people who change things there. */
export interface Studio {
  readonly service: OwnService;
  artist(options?: Partial<ArtistOptions>): Promise<Artist>;
  /** What is to go wrong next, in this order. */
  queue(...faults: Fault[]): void;
  /** How often a mutation was really applied. */
  applied(clientMutationId: string): number;
  /** What was applied of a submission, in its order: `admission`, the ids of its items, `completion`. */
  effects(clientMutationId: string): string[];
  /** How often something was posted to this path since the last call of `forget`. */
  posts(path: string): number;
  /** Forgets faults that are still queued, and counts posts from now on. */
  forget(): void;
}

/** A studio with one artist, for the tests of one file; its `prepare` readies a wish and forgets what was posted for it. */
export async function openStudio() {
  const service = await new OwnService().start();
  const artists: Artist[] = [];
  let forgotten = 0;
  afterAll(async () => {
    for (const artist of artists) await artist.leave();
    await service.stop();
  });
  const studio: Studio = {
    service,
    async artist(options = {}) {
      const artist = await startArtist({ baseUrl: service.baseUrl, token: async () => 'token', ...options });
      artists.push(artist);
      return artist;
    },
    queue(...faults) {
      for (const fault of faults) {
        const { count = 1, skip = 0 } = fault;
        service.faults.push({ fault, left: count, skip });
      }
    },
    applied: (id) => service.effects.filter((one) => one === id).length,
    effects: (id) =>
      service.effects.filter((one) => one.startsWith(`${id} `)).map((one) => one.slice(id.length + 1)),
    posts: (path) =>
      service.requests.slice(forgotten).filter((one) => one.method === 'POST' && one.path === path).length,
    forget() {
      service.faults = [];
      forgotten = service.requests.length;
    },
  };
  const artist = await studio.artist();
  const prepare = async (name: string): Promise<Wish> => {
    const wish = await wishNamed(name, { studio, artist });
    studio.forget();
    return wish;
  };
  return { studio, service, artist, prepare };
}
