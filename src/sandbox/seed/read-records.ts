import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { parseJson } from '../files.ts';
import { SandboxError, systemCode } from '../sandbox-error.ts';

/** A record with its file and line. */
export interface Located<T> {
  readonly file: string;
  /** 1 for the first. */
  readonly line: number;
  readonly record: T;
}

/** The errors in the data, each with file, line and field. */
export class SeedErrors {
  readonly #found: string[] = [];

  /** `wrong` continues the field's name: `must be a whole number`. */
  add({ file, line }: Omit<Located<unknown>, 'record'>, field: string, wrong: string): void {
    this.#found.push(`${file}:${line}: ${field} ${wrong}`);
  }

  addFile(file: string, wrong: string): void {
    this.#found.push(`${file} ${wrong}`);
  }

  /** @throws SandboxError that names the errors (the first ten of many), when there are any. */
  raise(): void {
    if (this.#found.length === 0) return;
    const named = this.#found.slice(0, 10);
    const more = this.#found.length - named.length;
    throw new SandboxError(
      `The data that the embedded catalogue is filled with can't be used: ${named.join('; ')}${
        more > 0 ? `; and ${more} faults more` : ''
      }. Install the package again.`,
    );
  }
}

/** Reads a file of JSON Lines. Invalid lines are left out and reported. */
export function readRecords<T>(
  folder: URL,
  file: string,
  type: z.ZodType<T>,
  faults: SeedErrors,
): readonly Located<T>[] {
  return linesOf(folder, file, faults).flatMap((text, index) => {
    const place = { file, line: index + 1 };
    const value = parseJson(text);
    if (value === undefined) {
      faults.add(place, 'the record', 'must be JSON');
      return [];
    }
    const { data } = type.safeParse(value);
    if (data !== undefined) return [{ ...place, record: data }];
    // Parsed again for the issues: only then they say whether there was a value, which is slow for valid
    // data.
    const { error } = type.safeParse(value, { reportInput: true });
    for (const issue of error?.issues ?? []) {
      for (const [field, wrong] of errorsIn(issue)) faults.add(place, field, wrong);
    }
    return [];
  });
}

function linesOf(folder: URL, file: string, faults: SeedErrors): readonly string[] {
  try {
    return readFileSync(new URL(file, folder), 'utf8').replace(/\n$/, '').split('\n');
  } catch (error) {
    const code = systemCode(error);
    if (code === null) throw error;
    faults.addFile(file, `can't be read (${code})`);
    return [];
  }
}

function errorsIn(issue: z.core.$ZodIssue): readonly (readonly [field: string, wrong: string])[] {
  const above = issue.path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .slice(1);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => [above === '' ? key : `${above}.${key}`, 'is no field of this record']);
  }
  const field = above === '' ? 'the record' : above;
  if (issue.code === 'invalid_type' && issue.input === undefined) return [[field, 'is missing']];
  if (issue.code === 'invalid_type') return [[field, `must be of type ${issue.expected}`]];
  return [[field, issue.message]];
}
