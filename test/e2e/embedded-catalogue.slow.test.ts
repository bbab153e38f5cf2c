import { afterEach, describe, expect, it } from 'vitest';
import { ensureSandbox, stopSandbox } from '../../src/sandbox/launch.ts';
import { type StartedServer, startServer } from '../support/client.ts';
import { temporaryFolder } from '../support/temporary.ts';

const servers: StartedServer[] = [];
let folder: Awaited<ReturnType<typeof temporaryFolder>> | undefined;

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  if (folder === undefined) return;
  await stopSandbox({ home: folder.path });
  await folder.remove();
});

async function hostsOfOneHome(count: number): Promise<StartedServer[]> {
  folder = await temporaryFolder();
  const env = { ARTWORK_HOME: folder.path };
  servers.push(...(await Promise.all(Array.from({ length: count }, () => startServer(env)))));
  return servers;
}

const firstPage = { limit: 2 };

describe('the embedded catalogue behind the server', () => {
  it('is shared by hosts that start at the same moment', async () => {
    const hosts = await hostsOfOneHome(4);
    const answers = await Promise.all(hosts.map((host) => host.call('list_episodes', firstPage)));
    for (const answer of answers) expect(answer.structuredContent).toEqual(answers[0]?.structuredContent);
    expect(answers[0]?.isError).toBeUndefined();
  });

  it('comes back with the next call after it was killed, its data as before', async () => {
    const [host] = await hostsOfOneHome(1);
    const before = await host?.call('list_episodes', firstPage);
    const { pid, port } = await ensureSandbox({ home: folder?.path ?? '' });
    for (let times = 0; times < 3; times += 1) {
      const running = await ensureSandbox({ home: folder?.path ?? '' });
      expect(running.port).toBe(port);
      process.kill(running.pid, 'SIGKILL');
      const after = await host?.call('list_episodes', firstPage);
      expect(after?.structuredContent).toEqual(before?.structuredContent);
    }
    expect((await ensureSandbox({ home: folder?.path ?? '' })).pid).not.toBe(pid);
  });

  it('outlives the host that started it', async () => {
    const [host] = await hostsOfOneHome(1);
    await host?.call('list_episodes', firstPage);
    const { pid } = await ensureSandbox({ home: folder?.path ?? '' });
    await host?.client.close();
    expect(await ensureSandbox({ home: folder?.path ?? '' })).toMatchObject({ pid });
  });
});
