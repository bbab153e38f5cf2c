import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { StartedServer } from '../support/client.ts';
import { hurried } from '../support/connected.ts';
import { startSignedIn } from './answers/sign-in.ts';
import { startWholeService, type WholeService } from './answers/whole-service.ts';

let service: WholeService;
let server: StartedServer;

beforeAll(async () => {
  service = await startWholeService();
  server = await startSignedIn(service, hurried);
});
afterAll(async () => {
  await server.stop();
  await service.close();
});

interface Listed {
  readonly id?: unknown;
  readonly title?: string | undefined;
  readonly name?: string;
}

/** What the service lists for a search, and for all; `made`: once it has made the group. */
type List = (made: boolean, isSearch: boolean) => readonly Listed[];

const refusal = { error: { code: 'token.expired', message: 'Expired', details: {}, issues: [] } };
const others = (count: number): Listed[] =>
  Array.from({ length: count }, (_, at) => ({ id: at + 1, title: `Other ${at}` }));

/** Creates a group that the service makes, and answers with 401 the first time. */
async function create(title: string, list: List): Promise<{ outcome: string; made: number }> {
  let made = 0;
  const answer = (status: number, body: object): string => {
    service.script.status = status;
    return JSON.stringify(body);
  };
  const before = service.requests.length;
  const heals = [
    service.spoil('GET upload-destinations', () => {
      const asked = service.requests.findLast(({ url }) => url.startsWith('/me/upload-destinations'));
      return answer(200, { data: list(made > 0, asked?.url.includes('q=') === true) });
    }),
    service.spoil('POST groups', (valid) => {
      made += 1;
      return made === 1 ? answer(401, refusal) : answer(200, Object(valid));
    }),
  ];
  const result = await server.call('create_group', {
    ...{ clientMutationId: randomUUID(), expectedUpdatedAt: 'none', kind: 'boxset', title, setIds: [3] },
  });
  for (const heal of heals) heal();
  expect(service.requests.length).toBeGreaterThan(before);
  return { ...z.looseObject({ outcome: z.string() }).parse(result.structuredContent), made };
}

it.each<[what: string, title: string, list: List]>([
  [
    'has another title by the service',
    ' Boxes ',
    (made, q) => (q ? [] : [...others(3), ...after(made, 'Boxes')]),
  ],
  ['has a title that the service writes otherwise', 'Tom & Jerry', (_, q) => (q ? [] : others(3))],
  ['has a title that the service composes otherwise', 'Cafe\u0301', (_, q) => (q ? [] : others(3))],
  ['shows its title otherwise', 'Boxes', (made) => [...others(3), ...after(made, undefined, 'Boxes')]],
  ['is one of several likes, of which some are listed', 'Boxes', (_, q) => others(q ? 2 : 10)],
  ['is in no list so far, of which nothing was left out', 'Boxes', (_, q) => (q ? [] : others(3))],
  [
    'shows no id',
    'Boxes',
    (made, q) => [
      { title: 'Boxes' },
      ...after(made, 'Boxes').map(({ title }) => ({ title })),
      ...others(q ? 0 : 5),
    ],
  ],
  [
    'shows the id of another one',
    'Boxes',
    (made, q) => [{ id: 500, title: 'Boxes' }, ...after(made, 'Boxes'), ...others(q ? 0 : 5)],
  ],
])(
  'a group that was made and refused with 401 is not made again where it %s',
  async (_what, title, list) => {
    expect(await create(title, list)).toMatchObject({ outcome: 'unresolved', made: 1 });
  },
  60_000,
);

const after = (made: boolean, title?: string, name?: string): Listed[] =>
  made
    ? [{ id: 500, ...(title === undefined ? {} : { title }), ...(name === undefined ? {} : { name }) }]
    : [];
