import { z } from 'zod';
import type { ShowSet } from '../../catalogue/records/sets.ts';
import { gapsOf } from '../../curation/gaps.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import { catalogueId, integer, type OmittedSection, paging, readResult } from '../../mcp/arguments.ts';
import { setKind } from '../../mcp/kinds.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { findIdOf } from '../find-ids.ts';
import { pageOfRecord } from '../paging.ts';
import { isPrivateKind, readOrExplain, readOwn } from './not-there.ts';

/** A model knows the other kinds from what it made. */
const publicKind = z.preprocess((given, context) => {
  if (isPrivateKind(given)) {
    const message = `a ${given} has no public read: get_owned reads one's own, and view_artwork shows it`;
    context.addIssue({ code: 'custom', message, params: { meant: null } });
  }
  if (given === 'media_set') {
    const message =
      'public reads call a media_set by what it is for: movie_set, show_set, game_set or collection_set';
    context.addIssue({ code: 'custom', message, params: { meant: null } });
  }
  return given;
}, setKind);

const input = z.strictObject({
  kind: publicKind,
  id: catalogueId,
  season: integer.optional().meta({
    description: 'show_set: the episodes of this season; 0 for specials',
    brief: 'show_set: its episodes; 0: specials',
  }),
  ...paging,
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

type Season = NonNullable<NonNullable<ShowSet['show']>['seasons']>[number];

export const getSet = defineTool({
  name: 'get_set',
  title: 'Get a Set, Boxset or Loadout: contents and creator',
  toolset: 'catalogue',
  description:
    "Read the contents of a Set, Boxset or Loadout, and its creator: a Boxset's Sets; which pictures a Set has and lacks, with paths for view_artwork. get_entity of its target shows what it doesn't list at all; get_owned reads your own Talent and Category Sets.",
  searchHint:
    'boxset loadout open read view contents content contains contain what is in inside who made which pictures episodes has lacks paths creator author',
  annotations: readOnly,
  input,
  output: readResult.extend({ pictures }),
  instead: (given) => ownOf(given) ?? findIdOf(given),
  async run(args, context) {
    const { kind, id } = args;
    const whole = await readOrExplain(kind, id, context, () =>
      context.catalogue.readSet(kind, id, context.deadline),
    );
    const record = kind === 'show_set' ? showSetView(whole, args.season, id) : wholeSet(whole, args.season);
    const { data, omitted, nextCursor } = pageOfRecord('get_set', args, record, pageBudget, context);
    return {
      structured: {
        data,
        pictures: gapsOf(whole),
        omitted: [...omitted, ...hiddenEpisodes(record, id)],
        nextCursor,
      },
    };
  },
});

/** The read of what has no public one. */
function ownOf({ kind, id }: Json): Next | null {
  const number = catalogueId.safeParse(id);
  if (!isPrivateKind(kind) && kind !== 'media_set') return null;
  return number.success ? readOwn({ type: 'set', id: number.data }) : null;
}

type Json = Readonly<Record<string, unknown>>;

function wholeSet(set: Json, season: number | undefined): Json {
  if (season === undefined) return set;
  throw new ArtworkError('invalid_arguments', 'Only a show_set has seasons: leave season out.', {
    issues: [{ code: 'season', message: 'only for show_set', path: ['season'] }],
  });
}

/** A short show Set whole; a long one with its seasons' episodes counted; or one season with its episodes. */
function showSetView(set: ShowSet, season: number | undefined, id: number): Json {
  const { show, ...facts } = set;
  const seasons = show?.seasons ?? [];
  if (season !== undefined) {
    const { seasons: _, ...showFacts } = show ?? {};
    return { ...facts, show: showFacts, season: oneSeason(seasons, season, id) };
  }
  if (JSON.stringify(set).length <= wholeBudget) return set;
  const counted = seasons.map(({ episodes, ...rest }) => ({ ...rest, episodeCount: episodes?.length ?? 0 }));
  return { ...facts, show: { ...show, seasons: counted } };
}

/** Two entries of one number are one season here, so that no episode is lost. */
function oneSeason(seasons: readonly Season[], number: number, id: number): Json {
  const found = seasons.filter((season) => season.seasonNumber === number);
  if (found.length === 0) {
    const numbers = seasons.map((season) => season.seasonNumber ?? 'none').join(', ');
    const message = `This Set lists no season ${number}. It lists: ${numbers || 'none'}.`;
    const why = 'It shows the seasons that the Set lists.';
    const next = { tool: 'get_set', arguments: { kind: 'show_set', id }, why };
    throw new ArtworkError('not_found', message, { next });
  }
  return { ...found[0], episodes: found.flatMap((season) => season.episodes ?? []) };
}

/** The seasons' episodes, counted; the call gets those of the first season that has any. */
function hiddenEpisodes(record: Json, id: number): OmittedSection[] {
  const show = 'show' in record && typeof record.show === 'object' ? record.show : null;
  const seasons: Json[] =
    show !== null && 'seasons' in show && Array.isArray(show.seasons) ? show.seasons : [];
  const counted = seasons.flatMap(({ episodeCount, seasonNumber }) =>
    typeof episodeCount === 'number' && episodeCount > 0 ? [{ episodeCount, seasonNumber }] : [],
  );
  const first = counted.find(({ seasonNumber }) => typeof seasonNumber === 'number');
  if (first === undefined) return [];
  return [
    {
      section: 'show.seasons.episodes',
      total: counted.reduce((sum, { episodeCount }) => sum + episodeCount, 0),
      returned: 0,
      next: { tool: 'get_set', arguments: { kind: 'show_set', id, season: first.seasonNumber } },
    },
  ];
}
