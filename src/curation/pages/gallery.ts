import { z } from 'zod';
import { type EntityKind, slotsOf } from '../../catalogue/records/kinds.ts';
import { isRecord, type JsonRecord as Json, recordAt } from '../../catalogue/records/members.ts';
import { pathOfListedAsset } from '../own-artwork.ts';
import type { PagePictures } from './embed.ts';
import { html } from './html.ts';
import { Canvas, headingOf, headOf, jumpOf, pageOf, sectionOf } from './sections.ts';
import {
  capitalisedWords,
  dayWords,
  kindWords,
  languageWords,
  listWords,
  slotsWords,
  slotWords,
} from '../words.ts';
import { textOf } from './set-gallery.ts';
import type { GalleryPart, GalleryView, PageCell, PageSection } from './view.ts';

/** What Sets and entities have and lacks, season by season. */
export function galleryPage({ title, parts }: GalleryView, pictures: PagePictures, foot: string): string {
  const canvas = new Canvas(pictures);
  const [only] = parts;
  const isAlone = parts.length === 1 && only !== undefined;
  const top = isAlone
    ? html`<header class="top">${headOf(only, 'h1', canvas)}</header>${jumpOf(only.sections)}`
    : html`<header class="top"><p class="kind">Artwork</p>${headingOf('h1', title)}</header>`;
  const main = isAlone
    ? only.sections.map((section, index) => sectionOf(section, `s${index + 1}`, 'h2', canvas))
    : parts.map(
        (part, at) => html`<article class="part">${headOf(part, 'h2', canvas)}
${part.sections.map((section, index) => sectionOf(section, `s${at + 1}-${index + 1}`, 'h3', canvas))}</article>`,
      );
  return pageOf({ title, top, main, foot }, canvas);
}

// The shape of an Asset in lists is not shown in the interface document: what is there is shown.
const maybeText = z.string().nullish().catch(null);
const listed = z.looseObject({
  createdBy: maybeText,
  languageCode: maybeText,
  edition: maybeText,
  dateUpdated: maybeText,
  width: z.int().positive().nullish().catch(null),
  height: z.int().positive().nullish().catch(null),
});

/** All public artwork of an entity, slot by slot, rivals side by side; a slot without any is a gap. */
export function entityGallery(kind: EntityKind, entity: Json, slot: string | undefined): GalleryPart {
  const lists = recordAt(entity, 'assets');
  const wanted = slotsOf[kind].filter((one) => slot === undefined || one === slot);
  const found = wanted.map((one) => ({ slot: one, cells: cellsOf(lists, one) }));
  const begun = found.filter(({ cells }) => cells.length > 0);
  const empty = wanted.filter((one) => !begun.some((of) => of.slot === one));
  const title = textOf(entity.title) ?? textOf(entity.name) ?? kindWords(kind);
  return {
    kind: kindWords(kind),
    title,
    facts: factsOf(entity),
    tallies: [],
    notes: empty.length === 0 ? [] : [`It has no ${listWords(empty.map(slotsWords), 'or')} yet.`],
    sections: [
      ...begun.map(
        ({ slot: own, cells }): PageSection => ({
          heading: capitalisedWords(slotsWords(own)),
          note: String(cells.length),
          rows: [cells],
        }),
      ),
      ...(empty.length === 0 ? [] : [{ heading: 'Still missing', rows: [empty.map(gapOf)] }]),
    ],
  };
}

function gapOf(slot: string): PageCell {
  return { cell: 'gap', label: capitalisedWords(slotWords(slot)), state: 'missing', slot };
}

function cellsOf(lists: Json, slot: string): PageCell[] {
  const name = slot === 'hero' ? 'heroes' : `${slot}s`;
  const list = lists[name];
  if (!Array.isArray(list)) return [];
  return list.flatMap((asset: unknown): PageCell[] => {
    const picture = pathOfListedAsset(asset);
    if (picture === null) return [];
    const parsed = listed.safeParse(asset);
    const { createdBy, languageCode, edition, dateUpdated, width, height } = parsed.success
      ? parsed.data
      : {};
    const facts = [
      languageCode == null ? null : languageWords(languageCode),
      edition ?? null,
      width == null || height == null ? null : `${width} × ${height}`,
      dateUpdated == null ? null : dayWords(dateUpdated),
    ].filter((fact) => fact !== null);
    const label = createdBy ?? 'creator not named';
    return [{ cell: 'picture', picture, label, spoken: `${slotWords(slot)} by ${label}`, facts, slot }];
  });
}

function factsOf({
  year,
  releaseDate,
  firstReleaseDate,
  firstAirDate,
  show,
  season,
  seasonNumber,
}: Json): string[] {
  const first = textOf(releaseDate) ?? textOf(firstReleaseDate) ?? textOf(firstAirDate);
  const when = typeof year === 'number' ? String(year) : first === null ? null : dayWords(first);
  const titleOf = (of: unknown) => (isRecord(of) ? textOf(of.title) : null);
  return [
    ...[titleOf(show), titleOf(season)].filter((title) => title !== null),
    ...(typeof seasonNumber === 'number' && season === undefined ? [`season ${seasonNumber}`] : []),
    ...(when === null ? [] : [when]),
  ];
}
