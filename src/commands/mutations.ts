import { createApp } from '../app.ts';
import { createLog } from '../log.ts';
import type { ListedMutation, Mutations } from '../mutations/mutations.ts';
import { type Command, UsageError } from './command.ts';

export const command: Command = {
  summary: 'the ledger of changes; `mutations abandon ID` gives one up, on your word alone',
  usage: 'artwork-mcp mutations [--open] [--json] | mutations abandon ID',
  options: { open: { type: 'boolean' }, json: { type: 'boolean' } },
  words: 2,
  async run({ settings, words, options }) {
    const [verb, id] = words;
    if (verb !== undefined && (verb !== 'abandon' || id === undefined)) {
      throw new UsageError(`mutations takes no word but 'abandon ID'. Usage: ${command.usage}`);
    }
    const app = createApp(settings, createLog(settings.logLevel));
    try {
      const { mutations } = await app.parts.account();
      const listed =
        id === undefined ? await wholeList(mutations, options.open === true) : [await giveUp(mutations, id)];
      process.stdout.write(
        options.json === true ? `${JSON.stringify({ mutations: listed })}\n` : readable(listed),
      );
    } finally {
      await app.close();
    }
  },
};

async function giveUp(mutations: Mutations, id: string): Promise<ListedMutation> {
  const listed = await mutations.abandon(id);
  if (listed.abandonedAt === null) process.stderr.write('It had ended before: nothing was to be given up.\n');
  return listed;
}

async function wholeList(mutations: Mutations, openOnly: boolean): Promise<ListedMutation[]> {
  const listed: ListedMutation[] = [];
  let after: Awaited<ReturnType<Mutations['listForPerson']>>['next'] | undefined;
  do {
    const state = openOnly ? ('open' as const) : undefined;
    const page = await mutations.listForPerson({ state, after: after ?? undefined, limit: 200 });
    listed.push(...page.mutations);
    after = page.next;
  } while (after !== null);
  return listed;
}

function readable(listed: readonly ListedMutation[]): string {
  if (listed.length === 0) return 'None.\n';
  const lines = listed.map(
    (one) =>
      `${one.updatedAt}  ${standing(one).padEnd(12)} ${one.operation}  ${one.clientMutationId}  ${JSON.stringify(one.target)}\n`,
  );
  return `${lines.join('')}${listed.some(isInterrupted) ? howToGoOn : ''}`;
}

const howToGoOn =
  'Nobody works on what is interrupted: ask your host to resume it (resume_mutation with its id), or give it up (artwork-mcp mutations abandon ID).\n';

function standing(one: ListedMutation): string {
  if (one.abandonedAt !== null) return `${one.outcome}, abandoned`;
  return isInterrupted(one) ? `${one.outcome}, interrupted` : one.outcome;
}

function isInterrupted({ outcome, live, abandonedAt }: ListedMutation): boolean {
  return (outcome === 'processing' || outcome === 'unresolved') && !live && abandonedAt === null;
}
