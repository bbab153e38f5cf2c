import { hasRatioOfSlot } from '../../files/picture.ts';
import { groupedBy } from '../../grouped-by.ts';
import { countOfSlot, shapeOfSlot } from '../../model/slots.ts';
import { codeOf, keyOfPlace, keyOfTarget, labelInSentence, shortLabelOf } from '../../model/target.ts';
import { countOf } from '../../model/words.ts';
import { type AuditFinding, findingCodes, joinPlaceLabels, type SetAudit } from './audit.ts';
import type { HeldPicture, HeldSet } from './held.ts';
import { missingIn, type Reference } from './missing.ts';

interface Judging {
  readonly held: HeldSet;
  readonly reference: Reference;
  /** Targets, by `keyOfTarget`, that the catalogue has no more, or has under another work. */
  readonly gone: ReadonlyMap<string, 'gone' | 'elsewhere'>;
  /** The digests of Assets, by their ids in lower case, as far as they are surely known. */
  readonly bytes: ReadonlyMap<string, string>;
}

type Judged = Pick<SetAudit, 'slots' | 'without' | 'findings' | 'unchecked'>;

/** What is wrong with a Set, as far as what was read shows it. */
export function findingsOfSet(judging: Judging): Judged {
  const { held, reference, gone } = judging;
  const labels = new Map(reference.targets.map((target) => [keyOfTarget(target), shortLabelOf(target)]));
  const labelOf = ({ target }: HeldPicture) => labels.get(keyOfTarget(target)) ?? keyOfTarget(target);
  const { findings, slots, without } = missingIn(held, reference);
  const all = [
    ...findings,
    ...ghostsIn(held, gone),
    ...doubledIn(judging, labelOf),
    ...findWrongRatios(held, labelOf),
    ...findMixedLanguages(held, labelOf),
  ];
  all.sort((one, other) => findingCodes.indexOf(one.code) - findingCodes.indexOf(other.code));
  return { slots, without, findings: all, unchecked: uncheckedIn(held) };
}

function ghostsIn({ pictures }: HeldSet, gone: Judging['gone']): AuditFinding[] {
  const ghosts = pictures.map(({ target }) => keyOfTarget(target)).filter((key) => gone.has(key));
  if (ghosts.length === 0) return [];
  const elsewhere = ghosts.filter((key) => gone.get(key) === 'elsewhere').length;
  const words = `${countOf(ghosts.length, 'picture')} of what the catalogue does not have any more: ${joinPlaceLabels(ghosts)}.`;
  const moved = elsewhere === 0 ? '' : ` ${elsewhere} of them it has, and not under this work.`;
  return [{ code: 'ghost', slot: null, words: words + moved }];
}

/** Sentences that a single Set's audit and that of several share. */
export const unpublishedWords =
  'What is not published yet: the account’s own record shows its pictures in a form that this program does not know, so the public record was audited.';

function uncheckedIn({ pictures: all, isUnclear }: HeldSet): string[] {
  const unread = all.filter(({ isUnread }) => isUnread).length;
  const pictures = all.filter(({ isUnread }) => !isUnread);
  const shaped = pictures.filter(({ slot }) => (shapeOfSlot(slot)?.ratios.length ?? 0) > 0);
  const unsized = shaped.filter(({ size }) => size === null).length;
  const untold = pictures.filter(({ language }) => language === undefined).length;
  return [
    isUnclear && unpublishedWords,
    unread > 0 &&
      `The ratio and language of ${countOf(unread, 'picture')}: the records that show them were not read here. An audit of this Set alone, by its kind and id, reads up to 120.`,
    unsized > 0 && `The ratio of ${countOf(unsized, 'picture')}: the service does not tell the size.`,
    untold > 0 && `The language of ${countOf(untold, 'picture')}: the service does not tell it.`,
  ].filter((words) => words !== false);
}

/** Several pictures in one place, one picture in several places, two episodes of one number. */
function doubledIn(
  { held: { pictures }, reference, bytes }: Pick<Judging, 'held' | 'reference' | 'bytes'>,
  labelOf: LabelOf,
): AuditFinding[] {
  const crowded = several(pictures, keyOfPlace);
  const same = several(pictures, (picture) => bytesOf(picture, bytes)).filter(
    (group) => new Set(group.map(keyOfPlace)).size > 1,
  );
  const episodes = reference.targets.filter((target) => target.kind === 'episode');
  const twins = several(episodes, (episode) => codeOf(episode) || null);
  return [
    ...crowded.map((group): AuditFinding => {
      const [first] = group;
      const label = first === undefined ? '' : labelOf(first);
      const slot = first?.slot ?? null;
      const words = `${countOfSlot(group.length, slot ?? 'picture')} in one place: ${labelInSentence(label)}.`;
      return { code: 'doubled', slot, words };
    }),
    ...same.map((group): AuditFinding => {
      const places = group.map((picture) => labelOf(picture));
      const words = `One and the same picture stands in ${group.length} places: ${joinPlaceLabels(places)}.`;
      return { code: 'doubled', slot: null, words };
    }),
    ...twins.map((group): AuditFinding => {
      const [first] = group;
      const label = first === undefined ? '' : shortLabelOf(first);
      const ids = group.map(({ id }) => id).join(' and ');
      const words = `The catalogue has ${group.length} episodes ${labelInSentence(label)} (${ids}): one of them may be a mistake, and a picture may stand at the wrong one.`;
      return { code: 'doubled', slot: null, words };
    }),
  ];
}

/** What tells one picture from another: its bytes where they are known, else its id, else where it lies. */
function bytesOf({ assetId, path }: HeldPicture, bytes: ReadonlyMap<string, string>): string | null {
  const sha256 = assetId === null ? undefined : bytes.get(assetId);
  return sha256 ?? assetId ?? path;
}

function several<Element>(
  elements: readonly Element[],
  by: (element: Element) => string | null,
): Element[][] {
  return [...groupedBy(elements, by)].flatMap(([key, group]) =>
    key !== null && group.length > 1 ? [group] : [],
  );
}

type LabelOf = (picture: HeldPicture) => string;

/** Pictures whose sizes are told one by one. */
const mostSized = 5;

/** Slot by slot, pictures that have not the shape that such pictures usually have. */
function findWrongRatios({ pictures }: HeldSet, labelOf: LabelOf): AuditFinding[] {
  return [...groupedBy(pictures, ({ slot }) => slot)].flatMap(([slot, own]): AuditFinding[] => {
    const shape = shapeOfSlot(slot);
    if (shape === null) return [];
    const wrong = own.filter(({ size }) => size !== null && !hasRatioOfSlot(size.width, size.height, shape));
    if (wrong.length === 0) return [];
    const places = wrong.map(labelOf);
    const sizes = wrong
      .slice(0, mostSized)
      .map((picture) => `${labelInSentence(labelOf(picture))} (${sizeOf(picture)})`);
    const named = wrong.length > mostSized ? joinPlaceLabels(places) : sizes.join(', ');
    const words = `${countOfSlot(wrong.length, slot)} not ${shape.ratios.join(' or ')}: ${named}.`;
    return [{ code: 'wrong_ratio', slot, words }];
  });
}

function sizeOf({ size }: HeldPicture): string {
  return size === null ? '' : `${size.width}×${size.height}`;
}

/** Pictures without text have no language, and go with any. */
function findMixedLanguages({ pictures, language }: HeldSet, labelOf: LabelOf): AuditFinding[] {
  const told = pictures.filter((picture) => typeof picture.language === 'string');
  const byLanguage = groupedBy(told, (picture) => picture.language ?? '');
  const [most = ''] = [...byLanguage].sort(([, one], [, other]) => other.length - one.length)[0] ?? [];
  const main = language ?? most;
  const others = told.filter((picture) => picture.language !== main);
  if (others.length === 0) return [];
  byLanguage.delete(main);
  const parts = [...byLanguage].map(
    ([own, group]) => `${group.length} in ${own} (${joinPlaceLabels(group.map(labelOf))})`,
  );
  const words = `Languages are mixed: the Set is in ${main}, but ${parts.join(', ')}.`;
  return [{ code: 'mixed_language', slot: null, words }];
}
