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
      const pages =
        id === undefined ? listed(mutations, options.open === true) : [[await giveUp(mutations, id)]];
      await (options.json === true ? writeJson(pages) : writeText(pages));
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

type Pages = Iterable<readonly ListedMutation[]> | AsyncIterable<readonly ListedMutation[]>;

/** Page by page: the ledger may be long. */
async function* listed(
  mutations: Mutations,
  openOnly: boolean,
): AsyncGenerator<readonly ListedMutation[], void> {
  const state = openOnly ? ('open' as const) : undefined;
  let after: Awaited<ReturnType<Mutations['listForPerson']>>['next'] | undefined;
  do {
    const page = await mutations.listForPerson({ state, after: after ?? undefined, limit: 200 });
    yield page.mutations;
    after = page.next;
  } while (after !== null);
}

async function writeJson(pages: Pages): Promise<void> {
  let before = '{"mutations":[';
  for await (const page of pages) {
    for (const one of page) {
      process.stdout.write(`${before}${JSON.stringify(one)}`);
      before = ',';
    }
  }
  process.stdout.write(before === ',' ? ']}\n' : `${before}]}\n`);
}

async function writeText(pages: Pages): Promise<void> {
  let [some, interrupted] = [false, false];
  for await (const page of pages) {
    process.stdout.write(page.map(line).join(''));
    some ||= page.length > 0;
    interrupted ||= page.some(isInterrupted);
  }
  process.stdout.write(interrupted ? howToGoOn : some ? '' : 'None.\n');
}

function line(one: ListedMutation): string {
  return `${one.updatedAt}  ${standing(one).padEnd(12)} ${one.operation}  ${one.clientMutationId}  ${JSON.stringify(one.target)}\n`;
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
