import { type NamedWork, readWorkName, type WorkName } from './name-work.ts';
import { isDeviceName } from './names/device-names.ts';
import { posterNames } from './names/slot-words.ts';
import { titleIn } from './names/title-in.ts';
import { wordKey } from './names/words.ts';
import { distinctPlaces, type MeantSlots, planPlaceOf, type SlotMeaning, slotsUnnamed } from './places.ts';
import { hasDoubt, phrasesOutside, slotsNamed } from './named-slots.ts';
import type { Work } from './targets.ts';
import { noMatch, type MatchVerdict, type Why } from './verdict.ts';
import type { WorksIndex } from './works-index.ts';

/** Matches one file by its name where there are no seasons: a film, a collection's films, a game. */
export function matchAmongWorks(
  outermost: string | null,
  folders: readonly string[],
  stem: string,
  index: WorksIndex,
): MatchVerdict {
  const own = readWorkName(stem, index);
  const outer = folders.map((folder) => readWorkName(folder, index));
  const chosen = outermost === null ? [] : [readWorkName(outermost, index)];
  const around = [...chosen, ...outer].findLast(({ named }) => named.length > 0) ?? null;
  const sureOfWork = own.named.some(({ why }) => why === null);
  if (outer.some(({ foreign }) => foreign) && !sureOfWork) return noMatch('other_work');
  if (own.named.length === 0 && isDeviceName(stem)) return noMatch('says_nothing');
  if (own.foreign) return guess(own, index);
  const titled = own.named.length > 0;
  const entry: NamedWork = { work: index.entry, from: 0, to: 0, why: null };
  const named = titled
    ? within(own.named, around)
    : around === null
      ? [entry]
      : holder(around, chosen, entry);
  const slot = [...chosen, ...outer].flatMap(({ said }) => said.slots).at(-1)?.meaning ?? null;
  const meant = named.map((one) => ({ ...one, slots: slotsFor(one, own, slot) }));
  if (meant.every(({ slots }) => slots === null)) return noMatch('says_nothing');
  const places = distinctPlaces(
    meant.flatMap(({ work, slots }) => (slots?.slots ?? []).map((name) => planPlaceOf(work, name))),
  );
  if (places.length === 0) return noMatch('no_slot');
  const works = new Set(meant.map(({ work }) => work));
  const unclear = meant.some(({ slots }) => slots?.sure === false);
  const open: Why | null =
    doubtAbout(named, own, around, outer) ??
    (works.size > 1 ? 'title_shared' : null) ??
    (unclear || places.length > 1 ? 'slot_unclear' : null);
  const usual = meant.every(({ slots }) => slots?.usual === true);
  return { places, sure: open === null, why: open, usual };
}

/** A title that is shared is the film's in whose folder the file lies. */
function within(named: readonly NamedWork[], around: WorkName | null): readonly NamedWork[] {
  const [film, ...others] = around?.named ?? [];
  if (film?.work.kind !== 'movie' || film.why !== null || others.length > 0) return named;
  const same = named.filter(({ work, why }) => work === film.work && why === null);
  return same.length > 0 ? same : named;
}

/** What a picture is of that only says what it is: in the chosen folder the entry, where that is called just so. */
function holder(around: WorkName, chosen: readonly WorkName[], entry: NamedWork): readonly NamedWork[] {
  const mayBe = around.named.some(({ work, why }) => work === entry.work && why === null);
  return chosen.includes(around) && mayBe ? [entry] : around.named;
}

/** Null where the name says neither what the picture is of nor what it is. */
function slotsFor(
  { work, from, to }: NamedWork,
  own: WorkName,
  folder: SlotMeaning | null,
): MeantSlots | null {
  const titled = own.named.length > 0;
  const phrases = phrasesOutside(own.said, titled ? { from, to } : null);
  if (phrases.length === 0 && !titled && !posterNames.has(wordKey(own.said.words))) return null;
  return slotsNamed(work.kind, phrases, folder);
}

function doubtAbout(
  named: readonly NamedWork[],
  own: WorkName,
  around: WorkName | null,
  outer: readonly WorkName[],
): Why | null {
  const why = named.find((one) => one.why !== null)?.why ?? null;
  if (why !== null) return why;
  const doubtful = (name: WorkName) => hasDoubt(name.said, name.named[0] ?? null);
  if (doubtful(own) || outer.some(doubtful)) return 'unclear_words';
  if (own.named.length === 0 || around === null) return null;
  const inner = new Set(named.map(({ work }) => work));
  const differs = !around.named.some(({ work }) => inner.has(work));
  // A film's file may lie in its collection's folder, also where that is called as a film; not in another film's.
  return differs && around.named.every(({ work }) => work.kind === 'movie') ? 'names_differ' : null;
}

/** What a name may mean that is no title here: a part of one, nearly one, a film's year. */
function guess({ said, years }: WorkName, { entry, works, whole }: WorksIndex): MatchVerdict {
  const { core } = titleIn(said, whole);
  const near = core.length === 0 ? [] : [...whole.near(core).keys(), ...whole.holding(core)];
  // A collection has no year.
  const fits = ({ kind, year }: Work) =>
    years.length === 0 ||
    (year === null ? kind !== 'collection' : years.some((each) => Math.abs(each - year) <= 1));
  const ofYear = works.filter(({ kind, year }) => kind === 'movie' && year !== null && years.includes(year));
  const meant = core.length === 0 ? ofYear : [...new Set(near)].filter(fits);
  if (meant.length === 0) return noMatch(entry.kind === 'collection' ? 'no_such_movie' : 'other_work');
  const places = meant.flatMap((work) =>
    slotsUnnamed(work.kind).slots.map((slot) => planPlaceOf(work, slot)),
  );
  return { places, sure: false, why: 'title_in_part' };
}
