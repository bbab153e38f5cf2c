import { z } from 'zod';
import type { AnySet } from '../../catalogue/records/kinds.ts';
import { ArtworkError } from '../../errors.ts';
import { mapLimit } from '../../map-limit.ts';
import {
  catalogueId,
  integer,
  type OmittedSection,
  pageArgument,
  paging,
  readResult,
  today,
} from '../../mcp/arguments.ts';
import type { Context } from '../../mcp/context.ts';
import { setKind } from '../../mcp/kinds.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { assetIdIn } from '../../model/asset.ts';
import { countsOf, holdingsOf } from '../../model/holdings.ts';
import {
  type ArtworkSet,
  seasonNumbersIn,
  setOf,
  withEpisodesCounted,
  withOneSeason,
} from '../../model/set.ts';
import { filmsListedBy, seasonOf } from '../../model/work.ts';
import type { Shelf } from '../answer-pages.ts';
import { pageOfRecord } from '../paging.ts';
import { pendingThere } from '../pending-there.ts';
import { readOrExplain } from './not-there.ts';
import { readChosen } from './pictures.ts';

const input = z.strictObject({
  kind: setKind,
  id: catalogueId,
  season: integer.optional().meta({
    description: 'show_set: the episodes of this season; 0 for specials',
    brief: 'show_set: its episodes; 0: specials',
  }),
  ...paging,
  page: pageArgument,
});

const pictures = z.array(
  z.object({
    of: z.string(),
    slot: z.string(),
    has: z.int(),
    total: z.int(),
    lacks: z.array(z.string()).optional(),
  }),
);

const pageBudget = 12_000;
const wholeBudget = 6_000;

export const getSet = defineTool({
  name: 'get_set',
  title: 'Get a Set, Boxset or Loadout: contents and creator',
  toolset: 'catalogue',
  description:
    "Read the contents of a Set, Boxset or Loadout, and its creator: a Boxset's Sets; which pictures a Set has and lacks, with paths for view_artwork. get_entity of its target shows what it doesn't list at all.",
  searchHint:
    'boxset loadout open read view contents content contains contain what is in inside who made which pictures episodes has lacks paths creator author',
  annotations: readOnly,
  input,
  output: readResult.extend({
    pictures,
    pending: z.unknown().optional(),
    page: z.string().optional().describe('file: URI of the page'),
    warnings: z.array(z.string()).optional(),
  }),
  async run(args, context) {
    const { kind, id } = args;
    // One page shows the whole Set, whichever part of it an answer does.
    const wantsPage = args.page === true && args.cursor === undefined;
    const shelf = wantsPage ? await (await import('../answer-pages.ts')).openShelf(context) : null;
    const [whole, own] = await Promise.all([
      readOrExplain(kind, id, context, () => context.catalogue.readSet(kind, id, context.deadline)),
      pendingThere(kind, id, context),
    ]);
    const { record, omitted: hidden } =
      kind === 'show_set' ? showSetView(whole, args.season, id) : wholeSet(whole, args.season);
    const { data, omitted, nextCursor } = pageOfRecord('get_set', args, record, pageBudget, context);
    const set = setOf(kind, id, whole);
    const holdings = holdingsOf(set.places, { has: ({ path }) => path !== null });
    const counts = countsOf(holdings).map(({ lacks, ...count }) => ({
      ...count,
      ...(lacks.length === 0 ? {} : { lacks: [...lacks] }),
    }));
    const { pending } = own;
    const page = shelf === null ? {} : await savePageOf(set, shelf, context);
    return {
      structured: {
        data,
        ...(pending === undefined ? {} : { pending }),
        pictures: counts,
        omitted: [...omitted, ...hidden, ...own.omitted],
        nextCursor,
        ...page,
      },
    };
  },
});

/** The gallery of a Set with its gaps. */
async function savePageOf(set: ArtworkSet, shelf: Shelf, context: Context) {
  const [{ setGallery }, { lateWords }] = await Promise.all([
    import('../../curation/show/gallery.ts'),
    import('../answer-pages.ts'),
  ]);
  const gallery = setGallery(set, await partsOf(set, context), today());
  const saved = await shelf.save(gallery, (ref) =>
    readChosen({ ref, label: '', assetId: assetIdIn(ref) ?? undefined }, context),
  );
  const late = lateWords(saved);
  return { page: saved.uri, ...(late === null ? {} : { warnings: [late] }) };
}

const fewReads = 4;

/** Of what a Set is for; what can't be read stays without. */
async function partsOf({ work, seasons }: ArtworkSet, { catalogue, deadline }: Context) {
  const read = await mapLimit(seasons, fewReads, ({ id }) =>
    unlessUnread(async () => seasonOf(await catalogue.readEntity('season', id, deadline))),
  );
  const films =
    work?.kind === 'collection'
      ? await unlessUnread(async () =>
          filmsListedBy(await catalogue.readEntity('collection', work.id, deadline)),
        )
      : null;
  return { seasons: read.filter((season) => season !== null), films: films ?? [] };
}

/** @throws ArtworkError `cancelled` alone */
async function unlessUnread<Value>(read: () => Promise<Value | null>): Promise<Value | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ArtworkError && error.category !== 'cancelled') return null;
    throw error;
  }
}

type Json = Readonly<Record<string, unknown>>;

interface View {
  readonly record: Json;
  readonly omitted: OmittedSection[];
}

function wholeSet(set: Json, season: number | undefined): View {
  if (season === undefined) return { record: set, omitted: [] };
  throw new ArtworkError('invalid_arguments', 'Only a show_set has seasons: leave season out.', {
    issues: [{ code: 'season', message: 'only for show_set', path: ['season'] }],
  });
}

/** A short Show Set whole; a long one with its seasons' episodes counted; or one season with its episodes. */
function showSetView(set: AnySet, season: number | undefined, id: number): View {
  if (season !== undefined) {
    const record = withOneSeason(set, season);
    if (record === null) throw noSeason(set, season, id);
    return { record, omitted: [] };
  }
  const whole = set;
  if (JSON.stringify(whole).length <= wholeBudget) return { record: whole, omitted: [] };
  const { record, episodes: total, first } = withEpisodesCounted(set);
  if (first === null) return { record, omitted: [] };
  const next = { tool: 'get_set', arguments: { kind: 'show_set', id, season: first } };
  return { record, omitted: [{ section: 'show.seasons.episodes', total, returned: 0, next }] };
}

function noSeason(set: AnySet, number: number, id: number): ArtworkError {
  const numbers = seasonNumbersIn(set).map((one) => one ?? 'none');
  const message = `This Set lists no season ${number}. It lists: ${numbers.join(', ') || 'none'}.`;
  const why = 'It shows the seasons that the Set lists.';
  return new ArtworkError('not_found', message, {
    next: { tool: 'get_set', arguments: { kind: 'show_set', id }, why },
  });
}
