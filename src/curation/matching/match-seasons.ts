import { matchEpisodes } from './match-episodes.ts';
import { type Explained, explainWords, unknownWordsOf } from './names/explain.ts';
import type { Numbers } from './names/numbers.ts';
import { saysLittle, titleIn } from './names/title-in.ts';
import { type Word, wordsOf } from './names/words.ts';
import { distinctPlaces, type PlanPlace, planPlaceOf, type SlotMeaning } from './places.ts';
import { hasDoubt, slotsNamed } from './named-slots.ts';
import type { ShowFile } from './show-file.ts';
import type { SeasonTarget } from './targets.ts';
import { noMatch, type MatchVerdict, type Why } from './verdict.ts';

/** A name that says a season and no episode: the season's own picture, unless a number or a title follows. */
export function matchSeasons(file: ShowFile, spans: readonly Numbers[]): MatchVerdict {
  const { name, index, folders } = file;
  const words = wordsOf(name.rest).filter((word) =>
    spans.every((span) => word.end <= span.start || word.start >= span.end),
  );
  const said = explainWords(words, name.rest);
  const [first = 0, ...others] = new Set(spans.map(({ season }) => season ?? 0));
  const code = others.length === 0 ? episodeOf(first, said, spans, name.rest) : null;
  if (code !== null) return matchEpisodes(file, [code], spans);
  const { named } = titleIn(said, index.titles);
  const seasons = [first, ...others].flatMap((each) => index.seasonsNumbered(each));
  const [titled, ...more] = named.filter(({ item }) => seasons.some(({ number }) => number === item.season));
  if (titled !== undefined && more.length === 0 && folders.seasons.every((season) => season === first)) {
    const why = name.title === 'part' ? 'short_name' : saysLittle(said, titled) ? 'unclear_words' : null;
    return { places: [planPlaceOf(titled.item, 'titlecard')], sure: why === null, why };
  }
  const cards = named.map(({ item }) => planPlaceOf(item, 'titlecard'));
  if (strangeBefore(words, spans, name.rest) && cards.length === 0) return noMatch('other_work');
  if (seasons.length === 0) {
    return cards.length === 0
      ? noMatch('no_such_season')
      : { places: distinctPlaces(cards), sure: false, why: 'number_and_title_differ' };
  }
  return picturesOf(file, seasons, { said, spans, cards, first });
}

/** A number after a season's is an episode's; with unknown words beside it it may be anything. */
function episodeOf(season: number, said: Explained, spans: readonly Numbers[], text: string): Numbers | null {
  const unknown = unknownWordsOf(said);
  const [only, ...others] = unknown.filter((word) => /^\d{1,3}$/.test(word.text));
  if (only === undefined || others.length > 0) return null;
  // "Season 1 - 5" may be five seasons.
  const between = text.slice(Math.max(...spans.map(({ end }) => end)), only.start);
  const range = between === '-' || (/^\s?[-.]\s?$/.test(between) && only.text.length === 1);
  const { start, end } = only;
  return { season, episodes: [Number(only.text)], doubtful: range || unknown.length > 1, start, end };
}

function strangeBefore(words: readonly Word[], spans: readonly Numbers[], text: string): boolean {
  const start = Math.min(...spans.map((span) => span.start));
  const before = words.filter(({ end }) => end <= start);
  return unknownWordsOf(explainWords(before, text)).length > 0;
}

interface SaidOfSeasons {
  readonly said: Explained;
  readonly spans: readonly Numbers[];
  /** Of episodes whose title stands in the name as well. */
  readonly cards: readonly PlanPlace[];
  readonly first: number;
}

function picturesOf(
  { name, folders, index }: ShowFile,
  seasons: readonly SeasonTarget[],
  { said, spans, cards, first }: SaidOfSeasons,
): MatchVerdict {
  const outer = folders.seasons.filter((season) => season !== first);
  const meant = slotsNamed('season', said.slots, folders.slot);
  if (meant.slots.length === 0) return ofShow(index, said, folders.slot);
  const all = [...seasons, ...outer.flatMap((season) => index.seasonsNumbered(season))];
  const own = all.flatMap((season) => meant.slots.map((slot) => planPlaceOf(season, slot)));
  const places = distinctPlaces([...own, ...cards, ...singleSpecial(spans, seasons)]);
  const open: Why | null =
    outer.length > 0
      ? 'names_differ'
      : name.title === 'part'
        ? 'short_name'
        : unknownWordsOf(said).length > 0 || hasDoubt(said) || spans.some(({ doubtful }) => doubtful)
          ? 'unclear_words'
          : places.length > meant.slots.length
            ? 'several_at_once'
            : meant.sure
              ? null
              : 'slot_unclear';
  return { places, sure: open === null, why: open, usual: meant.usual === true };
}

/** Artwork that only a show has is hardly a season's, unless it is the only one: then it may be the show's. */
function ofShow(
  { entry, regular }: ShowFile['index'],
  said: Explained,
  folder: SlotMeaning | null,
): MatchVerdict {
  const { slots } = slotsNamed(entry.kind, said.slots, folder);
  if (regular.length > 1 || slots.length === 0) return noMatch('no_slot');
  return { places: slots.map((slot) => planPlaceOf(entry, slot)), sure: false, why: 'slot_elsewhere' };
}

/** "Special" is the season of them, or the only one there is. */
function singleSpecial(spans: readonly Numbers[], seasons: readonly SeasonTarget[]): PlanPlace[] {
  const [only, ...others] = seasons.flatMap(({ episodes }) => episodes);
  if (only === undefined || others.length > 0 || spans.every(({ doubtful }) => !doubtful)) return [];
  return [planPlaceOf(only, 'titlecard')];
}
