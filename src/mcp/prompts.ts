import { ArtworkError } from '../errors.ts';
import type { CompletedFrom, Prompt } from './prompt.ts';

/** Names that a person may mean, the best first. Never rejects: what can't be completed is typed. */
export type CompleteTitle = (typed: string, kind: 'show' | 'set' | null) => Promise<readonly string[]>;

export interface PromptSources {
  readonly completeTitle: CompleteTitle;
  readonly uploadRoots: readonly string[];
  now(): Date;
}

export type PromptReading =
  | { readonly outcome: 'read'; readonly description: string; readonly text: string }
  | { readonly outcome: 'refused'; readonly message: string };

/** What prompts are read and completed with. */
export interface Prompts {
  /** Null: there is no prompt of the name. */
  read(name: string, given: Readonly<Record<string, string>>): PromptReading | null;
  /** What the argument may be, as far as it was typed; nothing for an argument that there is not. */
  complete(name: string, argument: string, typed: string): Promise<readonly string[]>;
}

/** Renders prompts by their names, and completes their arguments. */
export function createPrompts(prompts: readonly Prompt[], sources: PromptSources): Prompts {
  const known = new Map(prompts.map((prompt) => [prompt.name, prompt]));
  return {
    read(name, given) {
      const prompt = known.get(name);
      if (prompt === undefined) return null;
      try {
        return { outcome: 'read', description: prompt.description, text: prompt.render(given) };
      } catch (error) {
        if (error instanceof ArtworkError) return { outcome: 'refused', message: error.message };
        throw error;
      }
    },
    async complete(name, argument, typed) {
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
