import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StartedServer } from './client.ts';
import type { Change, Prepared, PreparedSubmission, Submission, ToolFile } from './tool-file.ts';
import { Workshop } from './workshop.ts';

export type KnownTool = ToolFile & { readonly name: string };

const folder = path.resolve(import.meta.dirname, '../tools');

/** What test/tools tells of each tool. */
export const toolFiles: readonly KnownTool[] = await Promise.all(
  readdirSync(folder).map(async (file) => {
    const module: { readonly default: ToolFile } = await import(pathToFileURL(path.join(folder, file)).href);
    return { ...module.default, name: file.replace(/\.ts$/, '').replaceAll('-', '_') };
  }),
);

/** The changes that are one request, with the tool that makes each. */
export const changes: readonly (Change & { readonly tool: string })[] = toolFiles.flatMap((one) =>
  (one.changes ?? []).map((change) => ({ ...change, tool: one.name })),
);

export const submissions: readonly (Submission & { readonly tool: string })[] = toolFiles.flatMap(
  ({ submission, name }) => (submission === undefined ? [] : [{ ...submission, tool: name }]),
);

/** Arguments with which a tool succeeds. */
export async function argumentsOf(tool: KnownTool, workshop: Workshop): Promise<Record<string, unknown>> {
  const use = tool.changes?.[0] ?? tool.submission;
  if (use !== undefined) return (await use.prepare(workshop)).arguments;
  if (tool.call === undefined) throw new Error(`No call of ${tool.name} is known.`);
  return tool.call(workshop);
}

/** A mutation tool in one of its uses, with a new subject for each call. */
export interface MutationTool {
  readonly name: string;
  readonly tool: string;
  /** Where nothing tells its request from another one's to the same path: that path. */
  readonly sharedPath: string | null;
  prepare(): Promise<Prepared>;
}

/** Every change that is one request, through a server whose account has signed in. */
export function mutationTools(
  server: StartedServer,
  folder: string,
  alone?: <Value>(path: string, work: () => Promise<Value>) => Promise<Value>,
): readonly MutationTool[] {
  const workshop = new Workshop(server, folder, alone);
  return changes.map(({ name, tool, sharedPath = null, prepare }) => ({
    name,
    tool,
    sharedPath,
    prepare: () => prepare(workshop),
  }));
}

export interface SubmissionTool extends Pick<Submission, 'name' | 'sharedPaths'> {
  prepare(): Promise<PreparedSubmission>;
}

/** The tools that send a submission, through a server whose account has signed in. */
export function submissionTools(server: StartedServer, folder: string): readonly SubmissionTool[] {
  const workshop = new Workshop(server, folder);
  return submissions.map(({ name, sharedPaths, prepare }) => ({
    name,
    sharedPaths,
    prepare: () => prepare(workshop),
  }));
}
