import { withApp } from '../app.ts';
import type { ListedMutation } from '../mutations/answer/result.ts';
import type { Mutations } from '../mutations/mutations.ts';
import { ownCommand } from '../own-command.ts';
import { noteLine, printLine, printLines, printPart } from '../terminal.ts';
import { quoted } from '../text.ts';
import { type Command, UsageError } from './command.ts';

export const command: Command = {
  summary: 'the ledger of changes; `mutations abandon ID` gives one up, on your word alone',
  usage: 'artwork-mcp mutations [--open] [--json] | mutations abandon ID',
  options: {
    open: {
      about: 'only those whose outcome is not known or that still go on',
      example: 'artwork-mcp mutations --open',
    },
    json: { about: 'prints one line of JSON', example: 'artwork-mcp mutations --json' },
  },
  settings: ['baseUrl', 'user', 'home'],
  examples: [
    'artwork-mcp mutations --open',
    'artwork-mcp mutations abandon 3f6c1d1e-8f0a-4a3e-9a53-0c7f4c1f2b6d',
  ],
  words: 2,
  firstWord: ['abandon'],
  async run({ settings, words, options }) {
    const [verb, id] = words;
    if (verb === 'abandon' && id === undefined) {
      throw new UsageError(
        `the id of the change is missing. Those that can be given up: ${ownCommand('mutations --open')}`,
      );
    }
    if (verb !== undefined && verb !== 'abandon') {
      throw new UsageError(`mutations takes no word but 'abandon ID'. Usage: ${command.usage}`);
    }
    if (id !== undefined && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) {
      throw new UsageError(`'${id}' is no id of a change. They stand here: ${ownCommand('mutations')}`);
    }
    await withApp(settings, async ({ parts }) => {
      const { mutations } = await parts.account();
      const pages =
        id === undefined ? listed(mutations, options.open === true) : [[await giveUp(mutations, id)]];
      await (options.json === true ? writeJson(pages) : writeText(pages));
    });
  },
};

async function giveUp(mutations: Mutations, id: string): Promise<ListedMutation> {
  const listed = await mutations.abandon(id);
  if (listed.abandonedAt === null) noteLine('It had ended before: nothing was to be given up.');
  return listed;
}

type Pages = Iterable<readonly ListedMutation[]> | AsyncIterable<readonly ListedMutation[]>;

/** Page by page: the ledger may be long. */
async function* listed(
  mutations: Mutations,
  openOnly: boolean,
): AsyncGenerator<readonly ListedMutation[], void> {
  const standing = openOnly ? ('open' as const) : undefined;
  let after: Awaited<ReturnType<Mutations['listForPerson']>>['next'] | undefined;
  do {
    const page = await mutations.listForPerson({ standing, after: after ?? undefined, limit: 200 });
    yield page.mutations;
    after = page.next;
  } while (after !== null);
}

async function writeJson(pages: Pages): Promise<void> {
  let before = '{"mutations":[';
  for await (const page of pages) {
    for (const one of page) {
      printPart(`${before}${JSON.stringify(one)}`);
      before = ',';
    }
  }
  printLine(before === ',' ? ']}' : `${before}]}`);
}

async function writeText(pages: Pages): Promise<void> {
  let [some, interrupted] = [false, false];
  for await (const page of pages) {
    printLines(page.map(line));
    some ||= page.length > 0;
    interrupted ||= page.some(isInterrupted);
  }
  if (interrupted) printLine(howToGoOn());
  else if (!some) printLine('None.');
}

function line(one: ListedMutation): string {
  return `${one.recordedAt}  ${standing(one).padEnd(12)} ${one.operation}  ${one.clientMutationId}  ${one.says}${reason(one)}`;
}

/** Why it came to nothing, or did not come to its end. */
function reason({ outcome, error }: ListedMutation): string {
  if (outcome === 'succeeded') return '';
  if (error === null) return outcome === 'not_sent' ? '  interrupted before anything was sent' : '';
  const text = [...error.message];
  const short = text.length <= longestReason ? error.message : `${text.slice(0, longestReason).join('')}…`;
  return `  ${quoted(error.code)}: ${JSON.stringify(short)}`;
}

/** Characters: one row is to stay one row. `--json` shows the whole. */
const longestReason = 120;

function howToGoOn(): string {
  return `No process works on what is interrupted: ask your host to resume it (resume_mutation with its id), or give it up: ${ownCommand('mutations abandon ID')}`;
}

function standing(one: ListedMutation): string {
  return one.abandonedAt === null ? one.outcome : `${one.outcome}, abandoned`;
}

function isInterrupted({ outcome, live, abandonedAt }: ListedMutation): boolean {
  return (outcome === 'interrupted' || outcome === 'unresolved') && !live && abandonedAt === null;
}
