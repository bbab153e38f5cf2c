import path from 'node:path';
import { z } from 'zod';
import type { FileOutcome } from '../../curation/download/download.ts';
import { foldersIn, openDownloadRoot } from '../../curation/download/download-root.ts';
import { type LayoutName, layoutNames, layouts } from '../../curation/download/layouts/index.ts';
import type { LeftOut } from '../../curation/download/plan-files.ts';
import { nextOfDownload, type Ran, runDownload } from '../../curation/download/run-download.ts';
import { ArtworkError, invalidArguments } from '../../errors.ts';
import { catalogueId, languageCodeArgument, type OmittedSection, readResult } from '../../mcp/arguments.ts';
import type { Context } from '../../mcp/context.ts';
import { setKind } from '../../mcp/kinds.ts';
import { defineTool } from '../../mcp/tool.ts';
import { type SetKind, slotsOfSet } from '../../model/kinds.ts';
import { type ArtworkSet, setOf } from '../../model/set.ts';
import { type Slot, slotNamed } from '../../model/slots.ts';
import { keyOfTarget, labelOf, shortLabelOf } from '../../model/target.ts';
import { findIdOf } from '../find-ids.ts';
import { readOrExplain } from './not-there.ts';

const input = z
  .strictObject({
    kind: setKind,
    id: catalogueId,
    layout: z.enum(layoutNames).meta({
      description: 'how files and folders are called; original: as the Set has them',
      brief: 'how files are named',
    }),
    folder: z.string().min(1).max(1_000).optional().meta({
      description: 'below the folder for downloads; left out: that folder',
      brief: 'below the download folder',
    }),
    slots: z
      .array(z.string().max(60))
      .min(1)
      .max(20)
      .optional()
      .meta({ description: 'only these, such as "poster", "titlecard"', brief: 'e.g. poster' }),
    languageCode: languageCodeArgument
      .optional()
      .meta({ description: 'only Sets in this language', brief: 'only this' }),
    assetFolders: z
      .boolean()
      .optional()
      .meta({ description: 'for Kometa: false puts all files side by side', brief: 'Kometa: false is flat' }),
    dryRun: z
      .boolean()
      .optional()
      .meta({ description: 'show what would be written', brief: 'only show what' }),
  })
  // So the answer says what each word was taken for.
  .overwrite(({ slots, ...args }) =>
    slots === undefined ? args : { ...args, slots: slots.map((word) => wantedSlot(word, args.kind) ?? word) },
  );
type Arguments = z.output<typeof input>;

export const downloadSet = defineTool({
  name: 'download_set',
  title: 'Download a Set: save its pictures to disk',
  toolset: 'catalogue',
  description:
    'Download the artwork of a Set or Boxset to disk, named for Plex, Jellyfin, Kodi, Kometa or as it is, below ARTWORK_DOWNLOAD_ROOT; replaces only its own files. Follow `next` until there is none.',
  searchHint:
    'save export get fetch to disk drive computer folder library plex jellyfin kodi kometa emby media server artwork pictures posters title cards local copy named',
  // It changes nothing on the service, and on this machine only what it wrote itself.
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input,
  output: readResult.extend({ warnings: z.array(z.string()).optional(), next: z.unknown().optional() }),
  instead: findIdOf,
  async run(args, context) {
    const { kind, id, layout } = args;
    const root = await openDownloadRoot(context.settings.downloadRoot, context.settings.home);
    const folders = foldersIn(root, args.folder);
    const slots = wantedSlots(args.slots, kind);
    const set = await readOrExplain(kind, id, context, async () =>
      setOf(kind, id, await context.catalogue.readSet(kind, id, context.deadline)),
    );
    requireLanguage(set, args);
    const ran = await runDownload(
      {
        ...{ set, layout, folders, slots },
        assetFolders: args.assetFolders ?? true,
        languageCode: args.languageCode ?? null,
        dryRun: args.dryRun === true,
      },
      {
        catalogue: context.catalogue,
        root,
        store: await context.store(),
        service: serviceOf(context),
        deadline: context.deadline,
        alsoCalled: async () => [],
        progress: (done, total) => context.progress(done, total, 'pictures looked after'),
      },
    );
    requirePictures(ran, args);
    const next = nextOfDownload(ran, args);
    const { problems, files, omitted } = reportOf(ran.downloaded.outcomes);
    const warnings = downloadWarnings(ran, layout, args.dryRun === true);
    return {
      structured: {
        data: {
          id: { kind, id, title: set.title },
          ...{ layout, folder: path.join(root.path, ...folders) },
          counts: downloadCounts(ran),
          // A dry run fetches nothing, and so can't tell how much there is.
          ...(args.dryRun === true ? {} : { bytes: ran.downloaded.bytes }),
          ...(ran.plan.works.length > 0 ? { works: workRows(ran) } : {}),
          credits: creditsOf(ran),
          ...(problems.length > 0 ? { problems } : {}),
          files,
          ...(ran.plan.leftOut.length > 0 ? { leftOut: leftOutRows(ran.plan.leftOut) } : {}),
          ...(ran.gathered.setsLeftOut.length > 0
            ? { setsLeftOut: ran.gathered.setsLeftOut.slice(0, 30) }
            : {}),
          ...(ran.metadata === null ? {} : { metadata: metadataRow(ran.metadata) }),
        },
        omitted,
        nextCursor: null,
        ...(warnings.length > 0 ? { warnings } : {}),
        ...(next === null ? {} : { next }),
      },
    };
  },
});

/** What was written from one catalogue is not taken for another's. */
function serviceOf({ settings }: Context): string {
  return [settings.baseUrl ?? 'embedded', ...(settings.assetUrl === null ? [] : [settings.assetUrl])].join(
    ' ',
  );
}

/** The slot that a word means for a Set of this kind, of those that it can have before all others; null for none. */
function wantedSlot(word: string, kind: SetKind): Slot | null {
  return slotNamed(word, slotsOfSet(kind)) ?? slotNamed(word);
}

/** Null: all. */
function wantedSlots(words: readonly string[] | undefined, kind: SetKind): ReadonlySet<Slot> | null {
  if (words === undefined) return null;
  const meant = words.map((word) => wantedSlot(word, kind));
  const issues = words.flatMap((word, index) =>
    meant[index] === null
      ? [{ code: 'slot', message: `"${word.slice(0, 60)}" is no slot`, path: ['slots', String(index)] }]
      : [],
  );
  if (issues.length === 0) return new Set(meant.filter((slot) => slot !== null));
  throw invalidArguments(`slots are any of ${slotsOfSet(kind).join(', ')}`, issues);
}

function requireLanguage(set: ArtworkSet, { languageCode: wanted, ...others }: Arguments): void {
  if (wanted === undefined || set.members.length > 0 || set.language === null) return;
  if (set.language.toLowerCase().split('-')[0] === wanted.toLowerCase().split('-')[0]) return;
  throw new ArtworkError('not_found', `This ${set.kind} is in ${set.language}, and not in ${wanted}.`, {
    next: { tool: 'download_set', arguments: others, why: 'It takes the Set in the language that it has.' },
  });
}

/** A call that finds nothing to do says so, rather than that all is done. */
function requirePictures({ gathered }: Ran, { kind, id, slots }: Arguments): void {
  if (gathered.pictures.length > 0 || gathered.setsLeftOut.length > 0) return;
  throw new ArtworkError('not_found', `This ${kind} has no ${slots?.join(' and no ') ?? 'picture'}.`, {
    next: { tool: 'get_set', arguments: { kind, id }, why: 'It shows what the Set has and lacks.' },
  });
}

// What download_set tells of a download, in few words: a Set can have hundreds of files.

/** How many pictures ended in each state. */
function downloadCounts({ downloaded, plan, gathered }: Ran): Record<string, number> {
  const counts: Record<string, number> = {};
  const states = [
    ...downloaded.outcomes.map(({ outcome }) => outcome.state),
    ...plan.leftOut.map(({ state }) => state),
  ];
  for (const state of states) counts[state] = (counts[state] ?? 0) + 1;
  if (gathered.setsLeftOut.length > 0) counts.setsLeftOut = gathered.setsLeftOut.length;
  return counts;
}

/** The creators of all whose pictures lie in place, or would. */
function creditsOf({ downloaded }: Ran): object[] {
  const credits = new Map<string, { createdBy: string | null; set: object; files: number }>();
  for (const { file, outcome } of downloaded.outcomes) {
    if (outcome.state === 'failed' || outcome.state === 'pending' || outcome.state === 'left_alone') continue;
    const { kind, id, title, createdBy } = file.picture.set;
    const key = keyOfTarget(file.picture.set);
    const credit = credits.get(key) ?? { createdBy, set: { kind, id, title }, files: 0 };
    credit.files += 1;
    credits.set(key, credit);
  }
  return [...credits.values()].slice(0, 50);
}

/** Characters of JSON that the names of files may take. */
const filesBudget = 8_000;

interface FileReport {
  readonly problems: object[];
  readonly files: object[];
  readonly omitted: OmittedSection[];
}

/** What needs a person, file by file; of all others the names, by their state and folder. What doesn't fit is counted. */
function reportOf(outcomes: readonly FileOutcome[]): FileReport {
  const problems: object[] = [];
  const files = new Map<string, { state: string; folder: string; names: string[] }>();
  let budget = filesBudget;
  let returned = 0;
  const take = (characters: number): boolean => {
    budget -= characters;
    if (budget >= 0) returned += 1;
    return budget >= 0;
  };
  const isProblem = ({ outcome: { state } }: FileOutcome) => state === 'failed' || state === 'left_alone';
  for (const one of outcomes.filter(isProblem)) {
    const row = problemOf(one);
    if (take(JSON.stringify(row).length)) problems.push(row);
  }
  for (const { path, outcome } of outcomes.filter((one) => !isProblem(one))) {
    const cut = path.lastIndexOf('/');
    const [folder, name, { state }] = [path.slice(0, Math.max(0, cut)), path.slice(cut + 1), outcome];
    const key = `${state} ${folder}`;
    const known = files.get(key);
    const row = known ?? { state, folder, names: [] };
    if (!take(name.length + 3 + (known === undefined ? folder.length + 40 : 0))) continue;
    row.names.push(name);
    files.set(key, row);
  }
  const total = outcomes.length;
  const omitted = returned === total ? [] : [{ section: 'files', total, returned, next: null }];
  return { problems, files: [...files.values()], omitted };
}

function problemOf({ path: file, outcome }: FileOutcome): object {
  if (outcome.state === 'failed') {
    const { code, category, message } = outcome.error;
    return { file, state: outcome.state, error: { code, category, message: message.slice(0, 300) } };
  }
  const isChanged = outcome.state === 'left_alone' && outcome.changed;
  const why = isChanged
    ? 'it was changed after it was downloaded'
    : 'a file that download_set did not write has this place';
  return { file, state: outcome.state, why };
}

/** Where each work lies: a folder that was there, one that is new, or several of which a person says which is meant. */
function workRows({ plan }: Ran): object[] {
  return plan.works.slice(0, mostWorks).map(({ work, is, folder, candidates }) => ({
    work: labelOf(work) || keyOfTarget(work),
    is,
    ...(is === 'unclear' ? { candidates: candidates.slice(0, 8) } : { folder: folder.join('/') }),
  }));
}

const mostWorks = 30;

/** One row for all that are left out for one reason. */
function leftOutRows(leftOut: readonly LeftOut[]): object[] {
  const rows = new Map<string, { state: string; why: string; slot: string; count: number; of: string[] }>();
  for (const { picture, state, why } of leftOut) {
    const key = `${why} ${picture.slot}`;
    const row = rows.get(key) ?? { state, why, slot: picture.slot, count: 0, of: [] };
    row.count += 1;
    if (row.of.length < 8) row.of.push(shortLabelOf(picture.target));
    rows.set(key, row);
  }
  return [...rows.values()].slice(0, 12);
}

/** The report's row for the metadata file of a download. */
function metadataRow(metadata: NonNullable<Ran['metadata']>): object {
  if ('error' in metadata) {
    const { code, message } = metadata.error;
    return { file: metadata.path, state: 'failed', error: { code, message } };
  }
  const { state } = metadata.outcome;
  return { file: metadata.path, state };
}

const mostHidden = 8;

/** What a person should know of a download beside its files. */
function downloadWarnings({ downloaded, plan }: Ran, layout: LayoutName, dryRun: boolean): string[] {
  const warnings: string[] = [];
  const lacking = plan.files.filter(({ lacksVideo }) => lacksVideo === true).length;
  if (lacking > 0) {
    warnings.push(
      `${lacking} title cards are called as videos usually are, since no video of theirs lies below the folder: ${layout} shows a card where it is called exactly as its video.`,
    );
  }
  const hidden = plan.files.flatMap(({ hiddenBy }) => hiddenBy ?? []);
  if (hidden.length > 0) {
    const names = [...new Set(hidden)];
    const more = names.length > mostHidden ? ` and ${names.length - mostHidden} more` : '';
    warnings.push(
      `${layouts[layout].words} shows other files instead of ${hidden.length} of these, as long as they lie there: ${names.slice(0, mostHidden).join(', ')}${more}. They stay as they are.`,
    );
  }
  const unread = downloaded.outcomes.filter(
    ({ outcome }) => 'name' in outcome && isUnread(outcome.name, layout),
  );
  if (unread.length > 0) {
    warnings.push(
      `${unread.length} files are of a type that ${layout} may not read (${[...new Set(unread.map(({ path }) => path.slice(path.lastIndexOf('.') + 1)))].join(', ')}): they are kept as the service has them.`,
    );
  }
  const alone = downloaded.outcomes.filter(({ outcome }) => outcome.state === 'left_alone').length;
  if (alone > 0) {
    warnings.push(
      `${alone} places hold files that download_set did not write, or that were changed since. They stay as they are; a person moves away what is not wanted.`,
    );
  }
  const failed = downloaded.outcomes.filter(({ outcome }) => outcome.state === 'failed').length;
  if (failed > 0 && !dryRun) {
    warnings.push(`${failed} files failed. The same call tries them again and fetches nothing twice.`);
  }
  return warnings;
}

/** PNG and JPEG are read by all. */
function isUnread(name: string, layout: LayoutName): boolean {
  const [, end] = /\.(webp|gif)$/.exec(name) ?? [];
  return end !== undefined && !layouts[layout].types.some((type) => type === end);
}
