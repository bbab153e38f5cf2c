import { z } from 'zod';
import { joinRunsOfLabels, type SlotPlace } from '../../curation/gaps.ts';

// What is drawn on a contact sheet is read by a model as the picture's own: names and numbers alone, no other text of
// the catalogue.

export interface JoinedPlace extends Pick<SlotPlace, 'slot' | 'holder' | 'path'> {
  readonly count: number;
}

/** Episodes that lack their picture one after the other are one place: S01E04–E07. */
export function joinGapLabels(places: readonly SlotPlace[]): JoinedPlace[] {
  const joined: (JoinedPlace & { readonly holders: readonly string[] })[] = [];
  for (const { slot, holder, path, of } of places) {
    const last = joined.at(-1);
    const holders = [...(last?.holders ?? []), holder];
    const follows = of === 'episode' && path === null && last?.path === null && last.slot === slot;
    if (follows && joinRunsOfLabels(holders).length === 1) {
      joined.splice(-1, 1, {
        slot,
        path,
        holders,
        holder: joinRunsOfLabels(holders).join(),
        count: last.count + 1,
      });
    } else joined.push({ slot, path, holders: [holder], holder, count: 1 });
  }
  return joined;
}

/** A creator and a language, as far as they are names and no sentences: other people's writing that gets drawn. */
export function creditOf(createdBy: unknown, language: unknown): string | undefined {
  const parts = [drawnName.safeParse(createdBy), drawnLanguage.safeParse(language)];
  const credit = parts.flatMap(({ data }) => data ?? []).join(' · ');
  return credit === '' ? undefined : credit;
}

const drawnName = z.string().regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,23}$/u);
const drawnLanguage = z.string().regex(/^[a-z]{2,3}(-[a-z0-9]{2,8}){0,2}$/i);
