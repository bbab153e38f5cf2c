import { withApp } from '../app.ts';
import type { Json } from '../canonical-json.ts';
import { isRecord } from '../catalogue/records/members.ts';
import type { ListedMutation } from '../mutations/list-mutations.ts';
import type { Mutations } from '../mutations/mutations.ts';
import { nameWithId } from '../mutations/names.ts';
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
  return `${one.updatedAt}  ${standing(one).padEnd(12)} ${one.operation}  ${one.clientMutationId}  ${targetWords(one.target)}${reason(one)}`;
}

/** What a change acts on, as a person says it: `poster of Serenity (2005) (movie 5)`. */
function targetWords(target: Json): string {
  if (!isRecord(target)) return JSON.stringify(target);
  const { slot, operation, kind, title, newTitle, relationship, files, items } = target;
  const own = thing(kind, target.id, title);
  const of = thing(target.targetKind, target.targetId, target.targetTitle);
  const within =
    thing('set', target.setId, target.setTitle) ?? thing('group', target.groupId, target.groupTitle);
  const work = thing(target.entryTargetKind, target.entryTargetId, target.entryTargetTitle);
  const artwork = of ?? within;
  const parts = [
    typeof slot === 'string' && artwork !== null ? `${slot} of ${artwork}` : (own ?? artwork),
    of !== null && within !== null && `in ${within}`,
    operation === 'replace' && 'in the place of another',
    work !== null && `for ${work}`,
    typeof newTitle === 'string' && `renamed to ${newTitle}`,
    typeof relationship === 'string' && `to ${relationship}`,
    counted(files, 'file'),
    counted(items, 'picture'),
  ].filter((part) => typeof part === 'string');
  return parts.length === 0 ? JSON.stringify(target) : parts.join(', ');
}

/** A thing by name and number; what is not made yet has no number. */
function thing(kind: unknown, id: unknown, title: unknown): string | null {
  const name = typeof title === 'string' ? title : null;
  if (typeof kind !== 'string') return null;
  if (typeof id === 'number' || typeof id === 'string') return nameWithId({ kind, id }, name);
  return name === null ? null : `${name} (new ${kind})`;
}

function counted(count: unknown, noun: string): string | null {
  if (typeof count !== 'number' || count === 0) return null;
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
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
  if (one.abandonedAt !== null) return `${one.outcome}, abandoned`;
  return isInterrupted(one) ? `${one.outcome}, interrupted` : one.outcome;
}

function isInterrupted({ outcome, live, abandonedAt }: ListedMutation): boolean {
  return (outcome === 'processing' || outcome === 'unresolved') && !live && abandonedAt === null;
}
