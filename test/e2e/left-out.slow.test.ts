import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Household, startHousehold } from '../support/account.ts';
import type { StartedServer } from '../support/client.ts';
import { registered, startConnected } from '../support/connected.ts';
import { settled, type Spoken, spokenBy, startSpoken } from '../support/eras.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { argumentsOf, toolFiles } from '../support/tool-files.ts';
import { Workshop } from '../support/workshop.ts';

// Every argument of every tool that need not be given, filled in with nothing: the answer is that of the call without it.

const eras = ['SDK 1', 'SDK 2, pinned'] as const;

let household: Household;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: StartedServer;
let workshop: Workshop;
let hosts: Record<(typeof eras)[number], Spoken>;

beforeAll(async () => {
  [household, folder] = await Promise.all([startHousehold(), temporaryFolder()]);
  const env = {
    ...(await registered(household)),
    ARTWORK_UPLOAD_ROOTS: folder.path,
    ARTWORK_DOWNLOAD_ROOT: folder.path,
    // Else more of the catalogue is read from one answer to the next.
    ARTWORK_INDEX: 'passive',
  };
  server = await startConnected(household, env);
  workshop = new Workshop(server, folder.path);
  const start = (manner: (typeof eras)[number]) =>
    startSpoken(manner, { env: { ...env, HOME: folder.path } });
  hosts = { 'SDK 1': await start('SDK 1'), 'SDK 2, pinned': await start('SDK 2, pinned') };
});

afterAll(async () => {
  await Promise.all(Object.values(hosts).map((host) => host.stop()));
  await server.stop();
  await household.remove();
  await folder.remove();
});

interface Node {
  readonly type?: string | string[] | undefined;
  readonly properties?: Record<string, Node> | undefined;
  readonly required?: string[] | undefined;
  readonly items?: Node | undefined;
}
const node: z.ZodType<Node> = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  get properties() {
    return z.record(z.string(), node).optional();
  },
  required: z.array(z.string()).optional(),
  get items() {
    return node.optional();
  },
});
const listed = z.looseObject({ tools: z.array(z.looseObject({ name: z.string(), inputSchema: node })) });

type Path = readonly (string | number)[];

/** An argument that need not be given, and whether null is one of its values. */
interface Optional {
  readonly path: Path;
  readonly takesNull: boolean;
}

/** Those that a definition lists, at any depth. */
function optionalIn({ properties = {}, required = [], items }: Node, at: Path = []): Optional[] {
  const own = Object.entries(properties).flatMap(([name, inner]): Optional[] => {
    const path = [...at, name];
    const takesNull = [inner.type ?? []].flat().includes('null');
    return [...(required.includes(name) ? [] : [{ path, takesNull }]), ...optionalIn(inner, path)];
  });
  return [...own, ...(items === undefined ? [] : optionalIn(items, [...at, 0]))];
}

type Arguments = Record<string, unknown>;

/** The arguments with another value in a place; null where nothing is given that it could stand in. */
function put(args: Arguments, path: Path, value: unknown): Arguments | null {
  const copy = structuredClone(args);
  const holder = path.slice(0, -1).reduce<unknown>((of, step) => Object(of)[step], copy);
  if (typeof holder !== 'object' || holder === null) return null;
  const name = path.at(-1) ?? '';
  if (value === undefined) Reflect.deleteProperty(holder, name);
  else Reflect.set(holder, name, value);
  return copy;
}

const nothing = [null, ''] as const;
const lasts = ['connect_account', 'disconnect_account'];
const inOrder = toolFiles.toSorted((one, other) => lasts.indexOf(one.name) - lasts.indexOf(other.name));

describe.each(eras)('through %s', (era) => {
  it.each(inOrder)('$name takes null and "" for what is left out', async (tool) => {
    const host = hosts[era];
    expect(host.version).toBe(spokenBy[era]);
    const schema = listed.parse(await host.tools()).tools.find(({ name }) => name === tool.name)?.inputSchema;
    const args = await argumentsOf(tool, workshop);
    const isChange = Object.hasOwn(args, 'expectedUpdatedAt');
    const tried: Arguments = isChange && tool.name !== 'resume_mutation' ? { ...args, dryRun: true } : args;
    const call = async (given: Arguments) => settled(await host.call(tool.name, given));
    for (const { path, takesNull } of optionalIn(schema ?? {})) {
      // It is the one that says whether anything is done.
      if (path.join() === 'dryRun' && isChange) continue;
      const bare = put(tried, path, undefined);
      if (bare === null) continue;
      for (const value of nothing) {
        if (value === null && takesNull) continue;
        const filled = put(tried, path, value) ?? {};
        // A first call may do what the next ones find done, and what was published meanwhile stand in one answer alone.
        const distinct = async () => [...new Set([await call(bare), await call(filled)])];
        await expect.poll(distinct, { message: `${path.join('.')} ${value}` }).toHaveLength(1);
      }
    }
  });

  it.each(nothing)('takes %j in dryRun for what is left out', async (dryRun) => {
    const host = hosts[era];
    for (const tool of toolFiles) {
      const use = tool.changes?.[0] ?? tool.submission;
      if (use === undefined) continue;
      const { arguments: args } = await use.prepare(workshop);
      const made = await host.call(tool.name, { ...args, dryRun });
      expect(Object(made).structuredContent, tool.name).toMatchObject({ outcome: 'succeeded' });
    }
  });
});

/** Where null is a value of its own: the interface document shows it, or it clears what there is. */
const valuesOfTheirOwn: readonly string[] = [
  'create_group description',
  'create_group languageCode',
  'create_grouping_set description',
  'create_grouping_set editionId',
  'create_grouping_set languageCode',
  'create_media_set declaredFiles.selectedSourceFrame',
  'create_media_set description',
  'create_media_set destination',
  'create_media_set editionId',
  'edit_asset_metadata editionId',
  'edit_asset_metadata languageCode',
  'edit_group description',
  'edit_group languageCode',
  'edit_set items.editionId',
  'edit_set items.languageCode',
  'edit_set items.selectedSourceFrame',
  'edit_set metadata.description',
  'edit_set metadata.editionId',
  'edit_set metadata.languageCode',
];

it('is null of its own meaning in these arguments alone', async () => {
  const { tools } = listed.parse(await hosts['SDK 1'].tools());
  const own = tools.flatMap(({ name, inputSchema }) =>
    optionalIn(inputSchema).flatMap(({ path, takesNull }) =>
      takesNull ? [`${name} ${path.filter((step) => step !== 0).join('.')}`] : [],
    ),
  );
  expect(own.sort()).toEqual(valuesOfTheirOwn);
});
