import { z } from 'zod';
import type { AnySet } from '../../catalogue/records/kinds.ts';
import type { JsonRecord as Json } from '../../catalogue/records/members.ts';
import { labelsOf, picturesOfSet, whoseOfSet } from '../../curation/show/found.ts';
import { ArtworkError, invalidArguments, unlessRefused } from '../../errors.ts';
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
import { countsOf, holdingsOf } from '../../model/holdings.ts';
import { type ArtworkSet, picturesOf, setOf, withEpisodesCounted, withOneSeason } from '../../model/set.ts';
import { filmsListedBy, seasonOf } from '../../model/work.ts';
import { answerOf, readAnswer } from '../answer.ts';
import { readOrExplain } from '../own.ts';
import { pageOfRecord } from '../records.ts';
import { pageSaver, type SavePage } from '../save-page.ts';

const input = z.strictObject({
  kind: setKind,
  id: catalogueId,
  season: integer.optional().describe('of a show_set; 0: specials'),
  ...paging,
  page: pageArgument,
});
type Arguments = z.output<typeof input>;

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
    const { kind, id, season } = args;
    const save = await pageSaver(args, context);
    const record = await readOrExplain(kind, id, context, () =>
      context.catalogue.readSet(kind, id, context.deadline),
    );
    const view = viewOf(record, args);
    const page = pageOfRecord('get_set', args, view.record);
    const set = setOf(kind, id, record);
    const filled = { ...set, places: picturesOf(set) };
    context.shownPictures.learn(() => labelsOf(picturesOfSet(filled, null), whoseOfSet(set)));
    const omitted = [...page.omitted, ...view.omitted];
    const saved = save === null ? null : await savePageOf(set, save, context);
    const pictures = countsIn(set, season);
    return answerOf({ ...page, pictures, omitted, page: saved?.uri, warnings: saved?.late });
  },
});

interface View {
  readonly record: Json;
  readonly omitted: readonly OmittedSection[];
}

/** Characters of JSON for a Show Set that is answered whole. */
const roomOfWhole = 6_000;

/** A short Set whole; of a long Show Set its seasons with their episodes counted, or one season with its episodes. */
function viewOf(set: AnySet, { kind, id, season }: Arguments): View {
  if (season !== undefined) return { record: oneSeason(set, season, { kind, id }), omitted: [] };
  if (kind !== 'show_set' || JSON.stringify(set).length <= roomOfWhole) return { record: set, omitted: [] };
  const { record, episodes: total, first } = withEpisodesCounted(set);
  if (first === null) return { record, omitted: [] };
  const next = { tool: 'get_set', arguments: { kind, id, season: first } };
  return { record, omitted: [{ section: 'show.seasons.episodes', total, returned: 0, next }] };
}

/** @throws ArtworkError `invalid_arguments`, `not_found` */
function oneSeason(set: AnySet, season: number, { kind, id }: Pick<Arguments, 'kind' | 'id'>): Json {
  if (kind !== 'show_set') {
    const issue = { code: 'season', message: 'is only for a show_set', path: ['season'] };
    throw invalidArguments("get_set got an argument that it can't use", [issue]);
  }
  const record = withOneSeason(set, season);
  if (record !== null) return record;
  const numbers = setOf(kind, id, set).seasons.map((one) => one.season ?? 'without a number');
  const message = `This Set has no season ${season}. It has: ${numbers.join(', ') || 'none'}.`;
  const why = 'This shows the seasons of the Set.';
  throw new ArtworkError('not_found', message, {
    next: { tool: 'get_set', arguments: { kind, id }, why },
  });
}

/** The pictures of the Set, or of one season: what it lacks is told by what the whole Set has. */
function countsIn({ places }: ArtworkSet, season: number | undefined) {
  const asked = holdingsOf(places, { has: ({ path }) => path !== null }).filter(
    ({ target }) => season === undefined || ('season' in target && target.season === season),
  );
  return countsOf(asked).map(({ lacks, ...count }) => (lacks.length === 0 ? count : { ...count, lacks }));
}

/** The gallery of a Set with its gaps. */
async function savePageOf(set: ArtworkSet, save: SavePage, context: Context) {
  const [{ setGallery }, { readChosen }] = await Promise.all([
    import('../../curation/show/gallery.ts'),
    import('./looks.ts'),
  ]);
  const gallery = setGallery(set, await partsOf(set, context), today());
  return save(gallery, (ref) =>
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
  const films =
    work?.kind === 'collection'
      ? await unlessRefused(async () =>
          filmsListedBy(await catalogue.readEntity('collection', work.id, deadline)),
        )
      : null;
  return { seasons: read.filter((season) => season !== null), films: films ?? [] };
}
