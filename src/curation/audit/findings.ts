import { hasRatioOfSlot } from '../../files/picture.ts';
import { groupedBy } from '../../grouped-by.ts';
import type { ListedAsset } from '../../model/asset.ts';
import {
  countsOf,
  holdingsOf,
  inState,
  isFilledBy,
  placesOfTargets,
  type SlotCount,
} from '../../model/holdings.ts';
import { countOfSlot, shapeOfSlot, slotWords } from '../../model/slots.ts';
import { joinRuns, keyOfTarget, labelInSentence, shortLabelOf, type Target } from '../../model/target.ts';
import { countOf } from '../../model/words.ts';
import { withArticle } from '../../text.ts';
import type { NamedTarget } from '../read-work.ts';

/** What is found, in the order in which it is told. */
const codes = [
  /** A place that the Set's other pictures of this slot leave empty. */
  'missing',
  /** Nothing of the Set has changed since episodes that are on the air by now. */
  'older_than_episodes',
  'wrong_ratio',
  'mixed_language',
] as const;

export interface Finding {
  readonly code: (typeof codes)[number];
  /** Null: of no slot in particular. */
  readonly slot: string | null;
  /** A sentence for a person. */
  readonly words: string;
}

/** One picture of a Set, with what is known of it. */
export interface HeldPicture extends Pick<ListedAsset, 'path' | 'language' | 'size' | 'changedAt'> {
  readonly target: NamedTarget;
  readonly slot: string;
}

/** What a Set holds, and everything that its pictures can be of, as the catalogue has it now, in its order. */
export interface Judged {
  readonly pictures: readonly HeldPicture[];
  readonly language: string | null;
  /** When the Set last changed. */
  readonly changedAt: string | null;
  readonly targets: readonly Target[];
  /** What is still to come, by `keyOfTarget`. */
  readonly ahead: ReadonlySet<string>;
}

export interface Judgement {
  /** How many of a kind have a picture in a slot, without the names of those that lack it. */
  readonly slots: readonly Omit<SlotCount, 'lacks'>[];
  /** Slots that the Set has nothing in: nothing of them counts as missing. */
  readonly without: readonly string[];
  readonly findings: readonly Finding[];
  /** What could not be checked, and why, in sentences. */
  readonly unchecked: readonly string[];
}

/** What is wrong with a Set, as far as what was read shows it; what it lacks goes by what the catalogue has. */
export function judge(judged: Judged): Judgement {
  const { pictures, targets, ahead } = judged;
  const holdings = holdingsOf(placesOfTargets(targets), {
    has: isFilledBy(pictures),
    isAhead: (target) => ahead.has(keyOfTarget(target)),
  });
  const counts = countsOf(inState(holdings, 'has', 'lacks'));
  const without = inState(holdings, 'unmeant').map(({ target, slot }) => `${slot} of ${target.kind}`);
  const findings = [
    ...missing(judged, counts),
    ...olderThanEpisodes(judged, inState(holdings, 'lacks')),
    ...wrongRatios(judged),
    ...mixedLanguages(judged),
  ];
  return {
    slots: counts.map(({ lacks: _, ...count }) => count),
    without: [...new Set(without)],
    findings: findings.sort((one, other) => codes.indexOf(one.code) - codes.indexOf(other.code)),
    unchecked: unchecked(pictures),
  };
}

function missing({ pictures }: Judged, counts: readonly SlotCount[]): Finding[] {
  if (pictures.length === 0)
    return [{ code: 'missing', slot: null, words: 'The Set has no picture at all.' }];
  return counts.flatMap(({ slot, has, total, lacks }): Finding[] => {
    const are = total - has === 1 ? 'is' : 'are';
    const words = `${total - has} of ${countOfSlot(total, slot)} ${are} missing: ${inWords(lacks)}.`;
    return lacks.length === 0 ? [] : [{ code: 'missing', slot, words }];
  });
}

type Places = readonly { readonly target: Target; readonly slot: string }[];

/** Episodes that came after the last change, and have nothing. */
function olderThanEpisodes({ changedAt, pictures }: Judged, lacks: Places): Finding[] {
  const times = [changedAt, ...pictures.map((picture) => picture.changedAt)].filter(
    (time) => time !== null && !Number.isNaN(Date.parse(time)),
  );
  const day = times.sort().at(-1)?.slice(0, 10);
  if (day === undefined) return [];
  const newer = lacks.filter(
    ({ target: { kind, date } }) => kind === 'episode' && date !== null && date > day,
  );
  return [...groupedBy(newer, ({ slot }) => slot)].map(([slot, group]): Finding => {
    const without = `${countOf(group.length, 'episode')} without ${withArticle(slotWords(slot))}`;
    const episodes = inWords(joinRuns(group.map(({ target }) => shortLabelOf(target))));
    const words = `The Set last changed on ${day}. Since then, ${without} came out: ${episodes}.`;
    return { code: 'older_than_episodes', slot, words };
  });
}

function wrongRatios(judged: Judged): Finding[] {
  return [...groupedBy(judged.pictures, ({ slot }) => slot)].flatMap(([slot, all]): Finding[] => {
    const shape = shapeOfSlot(slot);
    const wrong = all.filter(
      ({ size }) => shape !== null && size !== null && !hasRatioOfSlot(size.width, size.height, shape),
    );
    const sizes = wrong.map((one) => `${placesOf([one], judged)} (${one.size?.width}×${one.size?.height})`);
    const are = `${countOfSlot(wrong.length, slot)} ${wrong.length === 1 ? 'is' : 'are'}`;
    const words = `${are} not ${shape?.ratios.join(' or ')}: ${cut(sizes)}.`;
    return wrong.length === 0 ? [] : [{ code: 'wrong_ratio', slot, words }];
  });
}

/** Pictures without text have no language, and go with any. */
function mixedLanguages(judged: Judged): Finding[] {
  const told = judged.pictures.filter(({ language }) => typeof language === 'string');
  const byLanguage = [...groupedBy(told, ({ language }) => language ?? '')];
  const [most] = [...byLanguage].sort(([, one], [, other]) => other.length - one.length);
  const main = judged.language ?? most?.[0] ?? '';
  const others = byLanguage.filter(([language]) => language !== main);
  const parts = others.map(([language, group]) => {
    const are = group.length === 1 ? '1 picture is' : `${group.length} pictures are`;
    return `${are} in ${language} (${placesOf(group, judged)})`;
  });
  const words = `The Set is in ${main}, but ${parts.join(', ')}.`;
  return others.length === 0 ? [] : [{ code: 'mixed_language', slot: null, words }];
}

function unchecked(pictures: readonly HeldPicture[]): string[] {
  const shaped = pictures.filter(({ slot }) => (shapeOfSlot(slot)?.ratios.length ?? 0) > 0);
  const unsized = shaped.filter(({ size }) => size === null).length;
  const untold = pictures.filter(({ language }) => language === undefined).length;
  return [
    ...(unsized > 0 ? [`The ratio of ${countOf(unsized, 'picture')}: the size is not known.`] : []),
    ...(untold > 0 ? [`The language of ${countOf(untold, 'picture')}: it is not known.`] : []),
  ];
}

/** The targets of pictures, each named once: S01E02–E03. */
function placesOf(pictures: readonly HeldPicture[], { targets }: Judged): string {
  const keys = new Set(pictures.map(({ target }) => keyOfTarget(target)));
  const known = targets.filter((target) => keys.delete(keyOfTarget(target))).map(shortLabelOf);
  return inWords(joinRuns([...known, ...keys]));
}

function inWords(labels: readonly string[]): string {
  return cut(labels.map(labelInSentence));
}

/** Names in one sentence. */
const mostNamed = 30;

function cut(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return more > 0 ? `${names.slice(0, mostNamed).join(', ')} and ${more} more` : names.join(', ');
}
