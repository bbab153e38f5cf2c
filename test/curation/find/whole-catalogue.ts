import { createCatalogue } from '../../../src/catalogue/client.ts';
import type { EntityKind, SetKind } from '../../../src/catalogue/records/kinds.ts';
import type { CatalogueReading } from '../../../src/catalogue/records/owned.ts';
import { sightingsOf } from '../../../src/curation/find/sightings.ts';
import type { Sighting } from '../../../src/curation/find/title-index.ts';
import { startEmbedded } from '../../sandbox/embedded.ts';

const entityKinds: readonly EntityKind[] = [
  ...(['show', 'season', 'movie', 'collection', 'game', 'company', 'network', 'person', 'category'] as const),
];

const setKinds: readonly SetKind[] = [
  'movie_set',
  'show_set',
  'game_set',
  'collection_set',
  'brand_set',
  'boxset',
  'loadout',
];

/** What the catalogue's own client shows of everything that the embedded catalogue holds for everyone. */
export async function sightingsOfWholeCatalogue(): Promise<Sighting[]> {
  const embedded = await startEmbedded();
  const { baseUrl, store } = embedded.sandbox;
  const { origin } = new URL(baseUrl);
  const readings: CatalogueReading[] = [];
  const catalogue = createCatalogue({
    locate: async () => ({ baseUrl, assetOrigin: origin }),
    userAgent: 'test',
    onReading: (reading) => readings.push(reading),
  });
  const idsIn = (table: 'entities' | 'sets' | 'groups', kind: string) =>
    store.all(`SELECT id FROM ${table} WHERE kind = ? ORDER BY id`, kind).map((row) => row.integer('id'));
  try {
    let page: string | null = null;
    do page = (await catalogue.readEpisodesPage(page)).nextPage;
    while (page !== null);
    const reads = [
      ...entityKinds.flatMap((kind) =>
        idsIn('entities', kind).map((id) => () => catalogue.readEntity(kind, id)),
      ),
      ...setKinds.flatMap((kind) =>
        idsIn(kind === 'boxset' || kind === 'loadout' ? 'groups' : 'sets', kind).map(
          (id) => () => catalogue.readSet(kind, id),
        ),
      ),
    ];
    for (let at = 0; at < reads.length; at += 6) {
      // Some Sets are not public yet: what can't be read is not seen.
      await Promise.allSettled(reads.slice(at, at + 6).map((read) => read()));
    }
  } finally {
    await catalogue.close();
    await embedded.stop();
  }
  return readings.flatMap((reading) => sightingsOf(reading));
}
