import { z } from 'zod';
import type { AnySet } from '../../catalogue/records/kinds.ts';
import type { JsonRecord as Json } from '../../catalogue/records/members.ts';
import { labelsOf, picturesOfSet } from '../../curation/show/found.ts';
import { ArtworkError, invalidArguments } from '../../errors.ts';
import { mapLimit } from '../../map-limit.ts';
import {
  catalogueId,
  integer,
  type OmittedSection,
  pageArgument,
  paging,
  today,
} from '../../mcp/arguments.ts';
import type { Context } from '../../mcp/context.ts';
import { setKind } from '../../mcp/kinds.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { assetIdIn } from '../../model/asset.ts';
import { countsOf, holdingsOf, type SlotCount } from '../../model/holdings.ts';
import {
  type ArtworkSet,
  type SetPlace,
  setOf,
  withEpisodesCounted,
  withOneSeason,
} from '../../model/set.ts';
import { filmsListedBy, seasonOf } from '../../model/work.ts';
import { answerOf, readAnswer } from '../answer.ts';
import { pendingThere, readOrExplain } from '../own.ts';
import { pageOfRecord } from '../records.ts';
import type { Shelf } from '../shelf.ts';

const input = z.strictObject({
  kind: setKind,
  id: catalogueId,
  season: integer.optional().describe('of a show_set; 0: specials'),
  ...paging,
  page: pageArgument,
});

/** Characters of JSON: for the lists of an answer, and for a Show Set that is answered whole. */
const room = 12_000;
const roomOfWhole = 6_000;

export const getSet = defineTool({
  name: 'get_set',
  title: 'Get a Set, Boxset or Loadout: contents and creator',
  toolset: 'catalogue',
  description:
    'Read the contents of a Set, and its creator: which pictures it has and lacks, with paths for view_artwork. A Boxset or Loadout shows its Sets. get_entity shows what others made for the same target.',
  searchHint: 'open view what is in inside contains who made author which episodes',
  annotations: readOnly,
  input,
  output: readAnswer,
  async run(args, context) {
    const { kind, id } = args;
    // The page shows the whole Set, whichever part of it the answer does.
    const wantsPage = args.page === true && args.cursor === undefined;
    const shelf = wantsPage ? await (await import('../shelf.ts')).openShelf(context) : null;
    const whole = await readOrExplain(kind, id, context, () =>
      context.catalogue.readSet(kind, id, context.deadline),
    );
    const { record, omitted: hidden } = viewOf(whole, args);
    const set = setOf(kind, id, whole);
    const labels = labelsOf((among) => picturesOfSet(set, null, among));
    const { data, omitted, nextCursor } = pageOfRecord('get_set', args, record, room, context, { labels });
    const { season } = args;
    const inSeason = set.places.filter(({ target }) => 'season' in target && target.season === season);
    const counts = countsIn(season === undefined ? set.places : inSeason);
    const own = await pendingThere({ kind, id }, whole, 'public', context);
    const page = shelf === null ? null : await savePageOf(set, shelf, context);
    return answerOf({
      data,
      pictures: counts.map(({ lacks, ...count }) => (lacks.length === 0 ? count : { ...count, lacks })),
      wholeSet: season === undefined ? undefined : sumOf(countsIn(set.places)),
      pending: own.pending,
      omitted: [...omitted, ...hidden, ...own.omitted],
      nextCursor,
      page: page?.uri,
      warnings: page?.late,
    });
  },
});

function countsIn(places: readonly SetPlace[]): SlotCount[] {
  return countsOf(holdingsOf(places, { has: ({ path }) => path !== null }));
}

function sumOf(counts: readonly SlotCount[]) {
  const has = counts.reduce((sum, one) => sum + one.has, 0);
  return { has, total: counts.reduce((sum, one) => sum + one.total, 0) };
}

interface View {
  readonly record: Json;
  readonly omitted: readonly OmittedSection[];
}

/** A short Set whole; of a long Show Set its seasons with their episodes counted, or one season with its episodes. */
function viewOf(set: AnySet, { kind, id, season }: z.output<typeof input>): View {
  if (kind !== 'show_set') {
    if (season === undefined) return { record: set, omitted: [] };
    throw invalidArguments("get_set got an argument that it can't use", [
      { code: 'season', message: 'is only for a show_set', path: ['season'] },
    ]);
  }
  if (season !== undefined) {
    const record = withOneSeason(set, season);
    if (record === null) throw noSeason(set, season, id);
    return { record, omitted: [] };
  }
  if (JSON.stringify(set).length <= roomOfWhole) return { record: set, omitted: [] };
  const { record, episodes: total, first } = withEpisodesCounted(set);
  if (first === null) return { record, omitted: [] };
  const next = { tool: 'get_set', arguments: { kind, id, season: first } };
  return { record, omitted: [{ section: 'show.seasons.episodes', total, returned: 0, next }] };
}

function noSeason(set: AnySet, number: number, id: number): ArtworkError {
  const { seasons } = setOf('show_set', id, set);
  const numbers = seasons.map(({ season }) => season ?? 'without a number');
  const message = `This Set has no season ${number}. It has: ${numbers.join(', ') || 'none'}.`;
  const next = {
    tool: 'get_set',
    arguments: { kind: 'show_set', id },
    why: 'This shows the seasons of the Set.',
  };
  return new ArtworkError('not_found', message, { next });
}

/** The gallery of a Set with its gaps. */
async function savePageOf(set: ArtworkSet, shelf: Shelf, context: Context) {
  const [{ setGallery }, { readChosen }] = await Promise.all([
    import('../../curation/show/gallery.ts'),
    import('./pictures.ts'),
  ]);
  const gallery = setGallery(set, await partsOf(set, context), today());
  return shelf.save(gallery, (ref) =>
    readChosen({ ref, label: '', assetId: assetIdIn(ref) ?? undefined }, context),
  );
}

/** Reads at a time. */
const few = 4;

/** The seasons and films that a Set is for, with their titles and dates. What can't be read stays without. */
async function partsOf({ work, seasons }: ArtworkSet, { catalogue, deadline }: Context) {
  const read = await mapLimit(seasons, few, ({ id }) =>
    unlessRefused(async () => seasonOf(await catalogue.readEntity('season', id, deadline))),
  );
  const isOfFilms = work?.kind === 'collection';
  const films = isOfFilms
    ? await unlessRefused(async () =>
        filmsListedBy(await catalogue.readEntity('collection', work.id, deadline)),
      )
    : null;
  return { seasons: read.filter((season) => season !== null), films: films ?? [] };
}

/** @throws ArtworkError `cancelled` alone */
async function unlessRefused<Value>(read: () => Promise<Value | null>): Promise<Value | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ArtworkError && error.failure !== 'cancelled') return null;
    throw error;
  }
}
