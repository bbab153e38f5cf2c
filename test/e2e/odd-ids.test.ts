import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf, type StartedServer } from '../support/client.ts';
import { hurried } from '../support/connected.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { writePoster } from '../support/unique-pictures.ts';
import { startSignedIn } from './answers/sign-in.ts';
import { revision, someAsset, startWholeService, type WholeService } from './answers/whole-service.ts';

let service: WholeService;
let server: StartedServer;
let pictures: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  [service, pictures] = await Promise.all([startWholeService(), temporaryFolder()]);
  server = await startSignedIn(service, { ...hurried, ARTWORK_UPLOAD_ROOTS: pictures.path });
});
afterAll(async () => {
  await server.stop();
  await service.close();
  await pictures.remove();
});

/** What the first of them is read as. */
const rounded = '9007199254740992';

describe.each(['9007199254740993', '-1', '900.5'])('the number %s is no id', (number) => {
  it('of a group in a receipt: it is looked for, and no other is named', async () => {
    const receipt = `{"data":{"groupId":${number},"updatedAt":"${revision}","publicationStatus":"succeeded"}}`;
    const heal = service.spoil('POST groups', () => receipt);
    const sent = service.requests.length;
    const change = {
      clientMutationId: randomUUID(),
      expectedUpdatedAt: 'none',
      kind: 'boxset',
      title: 'Box',
    };
    const result = await server.call('create_group', { ...change, setIds: [3] });
    heal();
    const asked = service.requests.slice(sent).map(({ method, url }) => `${method} ${url.split('?')[0]}`);
    expect(asked.lastIndexOf('GET /me/upload-destinations')).toBeGreaterThan(
      asked.indexOf('POST /me/groups'),
    );
    expect(asked.filter((one) => one === 'POST /me/groups')).toHaveLength(1);
    expect(result.structuredContent).toMatchObject({
      outcome: 'unresolved',
      id: { kind: 'group', id: null },
    });
    expect(JSON.stringify(result)).not.toContain(rounded);
  });

  it('of an Asset in a receipt: its status is looked up', async () => {
    let sent = false;
    const say = (status: number, text: string) => {
      service.script.status = status;
      return text;
    };
    const heals = [
      service.spoil('POST assets', () => {
        sent = true;
        return say(200, `{"data":{"assetId":${number},"updatedAt":"${revision}"}}`);
      }),
      service.spoil('GET asset-uploads', (status) =>
        sent
          ? say(200, JSON.stringify(status))
          : say(404, '{"error":{"code":"not_found","message":"No such upload."}}'),
      ),
    ];
    const result = await upload();
    for (const heal of heals) heal();
    expect(sent).toBe(true);
    expect(result.structuredContent).toMatchObject({ outcome: 'succeeded', receipt: { assetId: someAsset } });
    expect(JSON.stringify(result)).not.toContain(rounded);
  });

  it('of a mutation in a status: that is of another one', async () => {
    service.script.status = 200;
    const heal = service.spoil('GET asset-uploads', (status) =>
      JSON.stringify(status).replace(/"clientMutationId":"[^"]*"/, `"clientMutationId":${number}`),
    );
    const result = await upload();
    heal();
    expect(errorOf(result)).toMatchObject({
      outcome: 'not_sent',
      error: { message: expect.stringContaining('about another record') },
    });
  });
});

async function upload() {
  return server.call('upload_asset', {
    clientMutationId: randomUUID(),
    expectedUpdatedAt: null,
    file: await writePoster(pictures.path),
    operation: 'add',
    slot: 'poster',
    targetKind: 'category',
    targetId: 5,
  });
}
