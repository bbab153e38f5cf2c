import { z } from 'zod';
import { keepLastAsked, keepWatches, type Watch, type Watched } from '../../curation/changes/watches.ts';
import { ArtworkError } from '../../errors.ts';
import { mapLimit } from '../../map-limit.ts';
import { catalogueId } from '../../mcp/arguments.ts';
import type { Context } from '../../mcp/context.ts';
import { defineTool } from '../../mcp/tool.ts';
import { allKinds, allSetKinds, isSetKind, type Kind, kindNamed, type SetKind } from '../../model/kinds.ts';
import { setOf } from '../../model/set.ts';
import { isSameTarget, labelOf, shortLine } from '../../model/target.ts';
import { targetOf } from '../../model/work.ts';
import { readOrExplain } from './not-there.ts';

type WatchedKind = Kind | SetKind;
type WatchedKey = z.output<typeof watched>;

/** A kind in the singular or the plural, in any case. A text in the schema, which would else list all kinds twice. */
const watchedKind = z.string().transform((given, context): WatchedKind => {
  const word = given.trim().toLowerCase();
  const set = allSetKinds.find((kind) => word === kind || word === `${kind}s`);
  if (set !== undefined) return set;
  const entity = kindNamed(given);
  if (entity !== null) return entity;
  const values = [...allKinds, ...allSetKinds];
  const message = `is not a kind with a public read: there are ${values.join(', ')}`;
  context.addIssue({ code: 'custom', message, params: { values } });
  return z.NEVER;
});

const watched = z.strictObject({
  kind: watchedKind.meta({ description: 'one that get_entity or get_set takes', brief: '' }),
  id: catalogueId,
});

const mostAtOnce = 50;

const input = z.strictObject({
  add: z.array(watched).max(mostAtOnce).optional(),
  remove: z.array(watched).max(mostAtOnce).optional(),
});

/** Reads at a time. */
const few = 4;

export const watch = defineTool({
  name: 'watch',
  title: 'Watch for changes',
  toolset: 'catalogue',
  description:
    'Watch shows, films, Sets or groups for changes of their artwork; answers the list of them. list_changes with scope watched then notifies you of what is new.',
  searchHint:
    'watching unwatch watchlist notify notified notification alert alerts tell inform remind me when new artwork subscribe unsubscribe keep an eye on monitor track stop changes show series movie film set',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input,
  output: z.object({ data: z.unknown(), warnings: z.array(z.string()).optional() }),
  async run({ add = [], remove = [] }, context) {
    refuseBoth(add, remove);
    const watches = keepWatches(await (await context.account()).state('watch'));
    const before = await watches.list();
    const named = await mapLimit(add, few, (one) => titled(one, context));
    const data = named.length + remove.length === 0 ? before : await watches.change(named, remove);
    const isNew = named.some((one) => !before.some((other) => isSameTarget(one, other)));
    const warnings = [
      ...remove
        .filter((one) => !before.some((other) => isSameTarget(one, other)))
        .map(({ kind, id }) => `The ${kind} ${id} was not on the list.`),
      ...(isNew ? await earlierWords(context) : []),
    ];
    return {
      structured: {
        data: data.map((one) => ({ ...one })),
        ...(warnings.length > 0 ? { warnings } : {}),
      },
    };
  },
});

/** Milliseconds that the call reaches back, as a first look does. */
const usualSpan = 7 * 24 * 60 * 60_000;

/** What is new on the list was never told of before this account last asked. */
async function earlierWords(context: Context): Promise<string[]> {
  const last = await keepLastAsked(await (await context.account()).state('looks')).read();
  if (last === null) return [];
  const since = new Date(Date.parse(last) - usualSpan).toISOString();
  const call = `list_changes ${JSON.stringify({ scope: 'watched', since })}`;
  return [
    `list_changes with scope watched begins at ${last}, for what is newly on the list too: ${call} also tells what changed in the week before.`,
  ];
}

/** Reads it, so that what is on the list exists and has its title there. */
async function titled({ kind, id }: WatchedKey, context: Context): Promise<Watch> {
  const { catalogue, deadline } = context;
  if (isSetKind(kind)) {
    const set = await readOrExplain(kind, id, context, () => catalogue.readSet(kind, id, deadline));
    return { kind, id, title: shortLine(setOf(kind, id, set).title) };
  }
  const entity = await readOrExplain(kind, id, context, () => catalogue.readEntity(kind, id, deadline));
  const target = targetOf(kind, entity);
  return { kind, id, title: target === null ? '' : labelOf(target) };
}

function refuseBoth(add: readonly Watched[], remove: readonly Watched[]): void {
  const both = add.find((one) => remove.some((other) => isSameTarget(one, other)));
  if (both === undefined) return;
  throw new ArtworkError(
    'invalid_arguments',
    `The ${both.kind} ${both.id} stands in add and in remove: leave it out of one of them.`,
    { issues: [{ code: 'both', message: 'is also removed', path: ['add'] }] },
  );
}
