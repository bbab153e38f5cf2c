import { withServices } from '../app/services.ts';
import type { ListedMutation } from '../mutations/answer/result.ts';
import type { Mutations } from '../mutations/mutations.ts';
import { ownCommand } from '../own-command.ts';
import { noteLine, printLine, printLines } from '../terminal.ts';
import { type Command, UsageError } from './command.ts';

export const command: Command = {
  summary: 'lists the changes in the ledger; `mutations abandon ID` gives one up',
  usage: 'artwork-mcp mutations [--open] [--json] | mutations abandon ID',
  options: {
    open: { about: 'lists only the changes that go on, or whose outcome is not known' },
    json: { about: 'prints one line of JSON' },
  },
  words: 2,
  async run({ settings, words, options }) {
    const abandoned = idToAbandon(words);
    await withServices(settings, async ({ parts }) => {
      const { mutations } = await parts.account();
      const changes =
        abandoned === null
          ? await everyChange(mutations, options.open === true)
          : [await abandon(mutations, abandoned)];
      if (options.json === true) printLine(JSON.stringify({ mutations: changes }));
      else printLines(readable(changes, options.open === true));
    });
  },
};

/** @throws UsageError for any words but `abandon ID` */
function idToAbandon([verb, id]: readonly string[]): string | null {
  if (verb === undefined) return null;
  if (verb !== 'abandon') throw new UsageError(`'${verb}' is not known here. Usage: ${command.usage}`);
  if (id !== undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return id;
  const problem =
    id === undefined ? 'The id of the change is missing.' : `'${id}' is not the id of a change.`;
  throw new UsageError(`${problem} To list the ids: ${ownCommand('mutations --open')}`);
}

async function everyChange(mutations: Mutations, openOnly: boolean): Promise<ListedMutation[]> {
  const asked = { standing: openOnly ? ('open' as const) : undefined, limit: 200 };
  const changes: ListedMutation[] = [];
  let page = await mutations.listForPerson(asked);
  for (; page.next !== null; page = await mutations.listForPerson({ ...asked, after: page.next }))
    changes.push(...page.mutations);
  return [...changes, ...page.mutations];
}

async function abandon(mutations: Mutations, id: string): Promise<ListedMutation> {
  const change = await mutations.abandon(id);
  if (change.abandonedAt === null) noteLine('This change had already ended. Nothing was given up.');
  return change;
}

function readable(changes: readonly ListedMutation[], openOnly: boolean): string[] {
  if (changes.length === 0) return [openOnly ? 'There are no open changes.' : 'There are no changes.'];
  const isWaiting = changes.some(
    ({ outcome, live, abandonedAt }) =>
      (outcome === 'interrupted' || outcome === 'unresolved') && !live && abandonedAt === null,
  );
  const next = `To finish an interrupted change, ask your assistant to resume it. To give it up: ${ownCommand('mutations abandon ID')}`;
  return [...changes.map(lineOf), ...(isWaiting ? [next] : [])];
}

function lineOf({
  recordedAt,
  outcome,
  abandonedAt,
  operation,
  clientMutationId,
  says,
}: ListedMutation): string {
  const standing = abandonedAt === null ? outcome : `${outcome}, abandoned`;
  return `${recordedAt}  ${standing.padEnd(12)} ${operation}  ${clientMutationId}  ${says}`;
}
