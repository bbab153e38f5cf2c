import path from 'node:path';
import { z } from 'zod';
import { download, hasState, openDownloads, type Ran } from '../../curation/download/download.ts';
import { layoutNames, layouts } from '../../curation/download/layouts.ts';
import { withManifest } from '../../curation/download/manifest.ts';
import { downloadReport } from '../../curation/download/report.ts';
import { foldersIn } from '../../curation/download/root.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import { catalogueId, languageCodeArgument } from '../../mcp/arguments.ts';
import { setKind } from '../../mcp/kinds.ts';
import { defineTool } from '../../mcp/tool.ts';
import { kindWords } from '../../model/kinds.ts';
import { setOf } from '../../model/set.ts';
import { allSlots, slotWords } from '../../model/slots.ts';
import { ownCommand } from '../../own-command.ts';
import { answerOf, readAnswer } from '../answer.ts';
import { readOrExplain } from '../own.ts';

const input = z.strictObject({
  kind: setKind,
  id: catalogueId,
  layout: z.enum(layoutNames).describe('how files are named; original: as in the Set'),
  folder: z.string().min(1).max(1_000).optional().describe('below the download folder'),
  slots: z
    .array(z.enum(allSlots).meta({ means: 'slot', inWords: true }))
    .min(1)
    .max(20)
    .optional()
    .describe('e.g. poster'),
  languageCode: languageCodeArgument.optional().meta({ brief: 'only this' }),
  assetFolders: z.boolean().optional().describe('Kometa: false is flat'),
  takeOver: z.boolean().optional().describe('replace other programs’ files too'),
  dryRun: z.boolean().optional().describe('only show what'),
});
type Arguments = z.output<typeof input>;

const readers = layoutNames
  .filter((name) => name !== 'original')
  .map((name) => layouts[name].words)
  .join(', ');

export const downloadSet = defineTool({
  name: 'download_set',
  title: 'Download a Set: save its pictures to disk',
  toolset: 'catalogue',
  description: `Download the artwork of a Set or Boxset to disk, below ARTWORK_DOWNLOAD_ROOT, named for ${readers} or as it is. It replaces only its own files. Follow \`next\` until there is none.`,
  searchHint:
    'save export get fetch drive computer folder library emby media server posters title cards local copy',
  // It changes nothing on the service, and on this machine what it wrote itself.
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input,
  output: readAnswer,
  async run(args, context) {
    const { kind, id, layout, dryRun = false } = args;
    const { catalogue, deadline } = context;
    const ports = await openDownloads(context, deadline);
    const folders = foldersIn(ports.root, args.folder);
    const slots = args.slots === undefined ? null : [...new Set(args.slots)];
    const set = await readOrExplain(kind, id, context, async () =>
      setOf(kind, id, await catalogue.readSet(kind, id, deadline)),
    );
    const { assetFolders = true, languageCode = null, takeOver = false } = args;
    const asked = { takeOver, dryRun, mayMake: true, turn: null };
    const wish = { set, layout, folders, slots, assetFolders, languageCode, ...asked };
    const ran = await withManifest(ports, (manifest) => download(wish, ports, manifest));
    requirePictures(ran, args);
    return answerOf({
      data: {
        id: { kind, id, title: set.title, createdBy: set.createdBy },
        ...{ layout, folder: path.join(ports.root.path, ...folders) },
        ...downloadReport(ran),
        keptUpToDateBy: dryRun ? undefined : keptUpToDateBy,
      },
      next: nextOf(ran, args),
    });
  },
});

const keptUpToDateBy = {
  tool: 'update_downloads',
  command: ownCommand('update'),
  why: 'Nothing runs by itself: call update_downloads when you want, or let a scheduler run the command.',
};

/** A call that finds nothing to do says so, rather than that all is done. @throws ArtworkError `not_found` */
function requirePictures({ outcomes, places, setsLeftOut }: Ran, { kind, id, slots }: Arguments): void {
  if (outcomes.length + places.leftOut.length + setsLeftOut.length > 0) return;
  const lacked = slots?.map(slotWords).join(' and no ') ?? 'picture';
  throw new ArtworkError('not_found', `This ${kindWords(kind)} has no ${lacked}.`, {
    next: { tool: 'get_set', arguments: { kind, id }, why: 'It shows what the Set has and lacks.' },
  });
}

/**
 * What leads on from a call. The same call goes on only where this one got further, so that following it always ends.
 * @param again the call as it was made
 */
function nextOf(ran: Ran, again: Arguments): Next | undefined {
  const { dryRun = false, ...args } = again;
  const has = (...states: readonly string[]) => hasState(ran, ...states);
  const call = (args: object, why: string): Next => ({ tool: 'download_set', arguments: { ...args }, why });
  if (dryRun && has('would_write', 'would_replace', 'would_take_over')) {
    const ask = ' First ask the person whether files of other programs may be replaced.';
    return call(args, `This writes what the dry run shows.${has('would_take_over') ? ask : ''}`);
  }
  if (has('pending') && has('written', 'replaced'))
    return call(again, 'This goes on with the rest. What is there already is not fetched again.');
  if (has('pending')) {
    const look =
      'A person looks at the errors in `files`, whether the disk is full, and whether the service can be reached';
    return { why: `No picture was written. ${look}. Then the same call begins with the others.` };
  }
  if (ran.outcomes.some(({ outcome }) => outcome.state === 'left_alone' && outcome.why === 'unnamed'))
    return call({ ...args, dryRun: true }, 'This names the files that would be replaced.');
  if (!has('unclear')) return undefined;
  const ask = 'Ask the person which of the folders in `works` is meant.';
  return { why: `${ask} Give it as \`folder\` in the same call. A folder beside them is made new.` };
}
