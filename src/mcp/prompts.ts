import { ArtworkError, type Issue, invalidArguments } from '../errors.ts';
import type { Toolset } from '../settings.ts';
import { nearestWord } from './nearest.ts';

/** What an argument is completed from while a person types it. */
type CompletedFrom =
  | { readonly from: 'titles'; readonly kind: 'show' | 'set' | null }
  | { readonly from: 'words'; readonly words: readonly string[] }
  /** The folders that files may be read from. */
  | { readonly from: 'upload roots' }
  /** Days of the last week, and the last Monday. */
  | { readonly from: 'days' };

interface PromptArgument {
  readonly description: string;
  readonly required: boolean;
  /** Null: by nothing. */
  readonly completed: CompletedFrom | null;
}

type Arguments = Readonly<Record<string, PromptArgument>>;
type Values<Of extends Arguments> = {
  readonly [Name in keyof Of]: Of[Name]['required'] extends true ? string : string | null;
};

/** What a person picks in the host to begin a job with: words for the model, which name our tools in their order. */
interface PromptSpecification<Of extends Arguments> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Those that its tools are in: without one of them the prompt is not offered. */
  readonly toolsets: readonly Toolset[];
  /** It ends in a change of the catalogue: read-only mode leaves it out. */
  readonly changes: boolean;
  readonly arguments: Of;
  text(values: Values<Of>): string;
}

export interface Prompt extends Omit<PromptSpecification<Arguments>, 'text'> {
  /** @throws ArtworkError `invalid_arguments` for one that is missing, unknown or too long */
  render(given: Readonly<Record<string, string>>): string;
}

/** Closes a prompt over its own arguments, so that the list of all prompts has one type. */
export function definePrompt<const Of extends Arguments>(prompt: PromptSpecification<Of>): Prompt {
  const { text, ...rest } = prompt;
  return {
    ...rest,
    render(given) {
      const issues = issuesOf(prompt.arguments, given);
      if (issues.length > 0) throw refused(prompt.name, issues);
      const named = Object.keys(prompt.arguments).map((name) => [name, typedValue(given[name])]);
      return text(Object.fromEntries(named));
    },
  };
}

/** A prompt as `prompts/list` shows it, and what decides whether it is offered. */
export interface PublicPrompt {
  readonly toolsets: readonly Toolset[];
  readonly changes: boolean;
  readonly definition: {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly arguments: readonly {
      readonly name: string;
      readonly description: string;
      readonly required: boolean;
    }[];
  };
}

/** The definition of a prompt as hosts get it in `prompts/list`. */
export function publicPrompt({
  toolsets,
  changes,
  name,
  title,
  description,
  arguments: named,
}: Prompt): PublicPrompt {
  const listed = Object.entries(named).map(([argument, { description, required }]) => ({
    ...{ name: argument, description, required },
  }));
  return { toolsets, changes, definition: { name, title, description, arguments: listed } };
}

/** Characters; a title with its folder is far shorter. */
const longestValue = 1_000;

/** A host that shows a field for each argument sends the empty ones too. */
function typedValue(given: string | undefined): string | null {
  const value = given?.trim() ?? '';
  return value === '' ? null : value;
}

function issuesOf(named: Arguments, given: Readonly<Record<string, string>>): Issue[] {
  const names = Object.keys(named);
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(named, name));
  return [
    ...unknown.map((name) => {
      const meant = nearestWord(name, names);
      const words = meant === null ? `; it takes ${names.join(', ') || 'none'}` : `, but ${meant}`;
      return { code: 'unknown', message: `is no argument of it${words}`, path: [name.slice(0, 100)] };
    }),
    ...names.flatMap((name): Issue[] => {
      const value = typedValue(given[name]);
      if (value === null && named[name]?.required === true) {
        return [{ code: 'missing', message: `is missing: ${named[name].description}`, path: [name] }];
      }
      if (value !== null && value.length > longestValue) {
        return [{ code: 'too_long', message: `is longer than ${longestValue} characters`, path: [name] }];
      }
      return [];
    }),
  ];
}

function refused(name: string, issues: readonly Issue[]): ArtworkError {
  return invalidArguments(`The prompt ${name} can't be used so`, issues);
}

/** Names that a person may mean, the best first. Never rejects: what can't be completed is typed. */
export type CompleteTitle = (typed: string, kind: 'show' | 'set' | null) => Promise<readonly string[]>;

interface PromptSources {
  readonly completeTitle: CompleteTitle;
  readonly uploadRoots: readonly string[];
  now(): Date;
}

type PromptReading =
  | { readonly outcome: 'read'; readonly description: string; readonly text: string }
  | { readonly outcome: 'refused'; readonly message: string };

/** What prompts are read and completed with. */
export type Prompts = ReturnType<typeof createPrompts>;

/** Renders prompts by their names, and completes their arguments. */
export function createPrompts(prompts: readonly Prompt[], sources: PromptSources) {
  const known = new Map(prompts.map((prompt) => [prompt.name, prompt]));
  return {
    /** Null: there is no prompt of the name. */
    read(name: string, given: Readonly<Record<string, string>>): PromptReading | null {
      const prompt = known.get(name);
      if (prompt === undefined) return null;
      try {
        return { outcome: 'read', description: prompt.description, text: prompt.render(given) };
      } catch (error) {
        if (error instanceof ArtworkError) return { outcome: 'refused', message: error.message };
        throw error;
      }
    },
    /** What the argument may be, as far as it was typed; nothing for an argument that there is not. */
    async complete(name: string, argument: string, typed: string): Promise<readonly string[]> {
      const named = known.get(name)?.arguments ?? {};
      const completed = Object.hasOwn(named, argument) ? (named[argument]?.completed ?? null) : null;
      return completed === null ? [] : wordsFrom(completed, typed, sources);
    },
  };
}

async function wordsFrom(
  completed: CompletedFrom,
  typed: string,
  { completeTitle, uploadRoots, now }: PromptSources,
): Promise<readonly string[]> {
  const beginning = (words: readonly string[]) =>
    words.filter((word) => word.toLowerCase().startsWith(typed.trim().toLowerCase()));
  switch (completed.from) {
    case 'titles':
      return completeTitle(typed, completed.kind);
    case 'words':
      return beginning(completed.words);
    case 'upload roots':
      return beginning(uploadRoots);
    case 'days':
      return beginning(lastDays(now()));
  }
}

const day = 86_400_000;

/** The last Monday first, since people say "since Monday"; then the last week, day by day. */
function lastDays(now: Date): string[] {
  const sinceMonday = (now.getUTCDay() + 6) % 7;
  const days = [sinceMonday, 1, 2, 3, 4, 5, 6, 7].map((back) => new Date(now.getTime() - back * day));
  return [...new Set(days.map((date) => date.toISOString().slice(0, 10)))];
}
