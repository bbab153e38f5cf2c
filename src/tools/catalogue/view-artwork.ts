import { z } from 'zod';
import { createPlanStore } from '../../curation/plan/store.ts';
import type { Found } from '../../curation/show/found.ts';
import type { FoundOf } from '../../curation/show/gallery.ts';
import { mapLimit } from '../../map-limit.ts';
import { integerWithin, type OmittedSection, pageArgument, paging } from '../../mcp/arguments.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { slotsWords, slotWords } from '../../model/slots.ts';
import { answerOf, pageOf, readAnswer } from '../answer.ts';
import { pageSaver, type SavePage } from '../save-page.ts';
import type { Look, Source } from './looks.ts';
import { artworkItem, lookFor } from './pictures.ts';

const input = z.strictObject({
  items: z.array(artworkItem).min(1).max(24).describe('each kind and id, assetId, path, url or file'),
  planId: z.uuid().optional().describe('of plan_set'),
  size: integerWithin(64, 1_600).optional().describe('width of a picture in pixels'),
  frames: z.boolean().optional().describe('true: the frames of one animated picture, from frame 0'),
  cursor: paging.cursor,
  page: pageArgument,
});

const mostPictures = 24;
/** Items that are read at a time. */
const few = 4;

export const viewArtwork = defineTool({
  name: 'view_artwork',
  title: 'View pictures, compare them side by side',
  toolset: 'catalogue',
  description: `View pictures: see a ${slotWords('poster')}, or compare ${slotsWords('poster')}, ${slotsWords('titlecard')}, ${slotsWords('logo')} or ${slotsWords('backdrop')} side by side on one numbered sheet; also files before an upload. 24 at once, then the cursor. New pictures may take some seconds to show.`,
  searchHint:
    'show look at display preview image images photo comparison next to each other background cover thumb icon contact sheet gallery grid tv series movie frame animated what does it look like',
  alwaysLoad: true,
  annotations: readOnly,
  input,
  output: readAnswer,
  pictures: true,
  async run(args, context) {
    const { items, planId, frames: isFrames = false } = args;
    const save = await pageSaver(args, context);
    const plans = async () => createPlanStore(await (await context.account()).records('plans'));
    const plan = planId === undefined ? null : await (await plans()).find(planId);
    const looking = { among: items.length > 1, plan, context };
    const asked = await mapLimit(items, few, (item) => lookFor(item, looking));

    const { createSource, draw, framesOf, looksOf } = await import('./looks.ts');
    const source = createSource(context);
    const all = asked.flatMap(({ found }) => found);
    const found = isFrames ? await framesOf(all, source) : all;
    const part = pageOf('view_artwork', args, found, mostPictures);
    const shown = part.data;
    const size = args.size ?? (shown.length === 1 ? 768 : 256);
    const looks = await looksOf(shown, size, source, context);
    const badges = looks.map(({ label }, at) => (isFrames ? label : String(part.offset + at + 1)));
    const drawn = await draw(looks, badges, { size, png: save !== null });

    const page = save === null ? null : await savePageOf(asked, save, source, drawn?.png ?? null);
    const [next] = looks.flatMap((look) => ('error' in look ? (look.error.next ?? []) : []));
    return {
      ...answerOf({
        data: looks.map((look, at) => {
          const position = part.offset + at;
          return {
            ...(isFrames ? { selectedSourceFrame: position } : { number: position + 1 }),
            ...told(look),
            ...(isFrames ? {} : seenOf(look)),
          };
        }),
        omitted: omittedOf(found, part, isFrames),
        nextCursor: part.nextCursor,
        page: page?.uri,
        picture: isFrames ? looks.map(seenOf)[0] : undefined,
        warnings: page?.late,
        next,
      }),
      images: drawn === null ? [] : [{ bytes: drawn.image.bytes, mimeType: drawn.image.contentType }],
    };
  },
});

/** Everything that was asked for, however many pictures the answer itself shows; null where there is nothing to see. */
async function savePageOf(asked: readonly FoundOf[], save: SavePage, source: Source, sheet: Buffer | null) {
  const pictures = asked.flatMap(({ found }) => found.flatMap((one) => ('ref' in one ? [one] : [])));
  if (pictures.length === 0) return null;
  const { galleryOf, keyOfPicture } = await import('../../curation/show/gallery.ts');
  const byKey = new Map(pictures.map((one) => [keyOfPicture(one), one]));
  const read = async (key: string) => {
    const picture = byKey.get(key);
    if (picture === undefined) throw new TypeError(`The page asks for ${key}.`);
    return source(picture);
  };
  return save(galleryOf(asked), read, sheet);
}

/** What one picture of a sheet is called, or why it is not there, as data for a model. */
function told(look: Look): object {
  const label = look.titled ?? look.label;
  if ('missing' in look) return { label, missing: look.missing };
  if ('error' in look) {
    const { code, failure, message } = look.error;
    return { label, error: { code, category: failure, message } };
  }
  return { label, note: look.note };
}

/** Where one picture is seen again, and what it is like: all its frames have that in common. */
function seenOf(look: Look): object {
  if (!('decoded' in look)) return {};
  const { ref, file, isOwn, assetId, decoded } = look;
  const isNamed = file !== undefined || (isOwn && assetId !== undefined);
  return { ref: isNamed ? undefined : ref, assetId, original: decoded.original };
}

interface Part {
  readonly data: readonly Found[];
  readonly next: OmittedSection['next'];
}

/** Pictures that this answer does not show, and others of a slot for which one stands. A gap counts as no picture. */
function omittedOf(
  found: readonly Found[],
  { data: shown, next }: Part,
  isFrames: boolean,
): OmittedSection[] {
  const count = (some: readonly Found[]) => some.filter((one) => !('missing' in one)).length;
  const section = isFrames ? 'frames' : 'pictures';
  const rest = { section, total: count(found), returned: count(shown), next };
  const others = shown.flatMap((one): OmittedSection[] => {
    if (!('others' in one) || one.others === undefined || isFrames) return [];
    const { total, returned, ...item } = one.others;
    const call = { tool: 'view_artwork', arguments: { items: [item] } };
    return [{ section: `assets.${item.slot}`, total, returned, next: call }];
  });
  return shown.length === found.length ? others : [rest, ...others];
}
