import { randomUUID } from 'node:crypto';
import {
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Household, startHousehold } from '../support/account.ts';
import { type StartedServer, startServer } from '../support/client.ts';
import { registered } from '../support/connected.ts';

let household: Household;
const servers: StartedServer[] = [];

beforeAll(async () => {
  household = await startHousehold();
});

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

afterAll(() => household.remove());

const begun = z.object({ url: z.url() });

/** A host with a dialog that stays open until it is told that what it shows has ended. */
async function hostWithDialog() {
  const open = new Map<string, () => void>();
  const closed: Promise<void>[] = [];
  const server = await startServer(
    { ...(await registered(household)), ARTWORK_USER: randomUUID() },
    (client) => {
      client.registerCapabilities({ elicitation: { url: {} } });
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        const { elicitationId } = z.object({ elicitationId: z.string() }).parse(params);
        closed.push(new Promise((resolve) => open.set(elicitationId, resolve)));
        return { action: 'accept' as const };
      });
      client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) =>
        open.get(params.elicitationId)?.(),
      );
    },
  );
  servers.push(server);
  const begin = async () => begun.parse((await server.call('connect_account')).structuredContent).url;
  return { server, begin, closed };
}

describe('the dialog of a sign-in', () => {
  it.each(['approve', 'decline'] as const)(
    'closes when the person says %s, after the call',
    async (decision) => {
      const { begin, closed } = await hostWithDialog();
      const url = await begin();
      expect(closed).toHaveLength(1);
      await fetch(await household.agree(url, 0, decision));
      await Promise.all(closed);
    },
  );

  it('closes with its own sign-in, and not with another one', async () => {
    const { begin, closed } = await hostWithDialog();
    const [first, second] = [await begin(), await begin()];
    await fetch(await household.agree(second));
    await closed[1];
    const early = await Promise.race([closed[0]?.then(() => 'closed'), household.agree(first)]);
    expect(early).not.toBe('closed');
    await fetch(String(early));
    await closed[0];
  });

  it('closes when the server ends', async () => {
    const { server, begin, closed } = await hostWithDialog();
    await begin();
    process.kill(server.pid, 'SIGTERM');
    await Promise.all(closed);
  });
});
