import { z } from 'zod';
import { keepWatches, type Watch } from '../../curation/changes/watches.ts';
import { mapLimit } from '../../map-limit.ts';
import { catalogueId } from '../../mcp/arguments.ts';
import type { Context } from '../../mcp/context.ts';
import { defineTool } from '../../mcp/tool.ts';
import { allKinds, allSetKinds, isSetKind, kindWords } from '../../model/kinds.ts';
import { setOf } from '../../model/set.ts';
import { isSameTarget, labelOf, shortLine } from '../../model/target.ts';
import { targetOf } from '../../model/work.ts';
import { answerOf, readAnswer } from '../answer.ts';
import { readOrExplain } from '../own.ts';

const watched = z.strictObject({
  kind: z
    .enum([...allKinds, ...allSetKinds])
    .meta({ means: 'kind', inWords: true, description: 'one that get_entity or get_set takes', brief: '' }),
  id: catalogueId,
});
type Named = z.output<typeof watched>;

const mostAtOnce = 50;
/** Reads at a time. */
const few = 4;

export const watch = defineTool({
  name: 'watch',
  title: 'Watch for changes',
  toolset: 'catalogue',
  description:
    'Watch shows, films, Sets or groups for changes of their artwork. It answers the whole list. list_changes with scope watched then tells what is new.',
  searchHint:
    'watchlist unwatch notify alert inform remind me when new subscribe keep an eye on monitor track stop',
  // It keeps a list on this side, and changes nothing on the service.
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({
    add: z.array(watched).max(mostAtOnce).optional(),
    remove: z.array(watched).max(mostAtOnce).optional(),
  }),
  output: readAnswer,
  async run({ add = [], remove = [] }, context) {
    const account = await context.account();
    const watches = keepWatches(await account.state('watch'));
    const before = await watches.list();
    const named = await mapLimit(add, few, (one) => titled(one, context));
    const data = named.length + remove.length === 0 ? before : await watches.change(named, remove);
    const absent = remove.filter((one) => !before.some((other) => isSameTarget(one, other)));
    return answerOf({
      data,
      warnings: absent.map(({ kind, id }) => `The ${kindWords(kind)} ${id} was not on the list.`),
    });
  },
});

/** Reads it, so that what is on the list exists and has its title there. */
async function titled({ kind, id }: Named, context: Context): Promise<Watch> {
  const { catalogue, deadline } = context;
  if (isSetKind(kind)) {
    const set = await readOrExplain(kind, id, context, () => catalogue.readSet(kind, id, deadline));
    return { kind, id, title: shortLine(setOf(kind, id, set).title) };
  }
  const target = targetOf(kind, await catalogue.readEntity(kind, id, deadline));
  return { kind, id, title: target === null ? '' : labelOf(target) };
}
