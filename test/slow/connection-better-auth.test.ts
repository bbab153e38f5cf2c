import { expect, it, onTestFinished } from 'vitest';
import { allScopes } from '../../src/settings.ts';
import { liveThrough } from '../connection/life.ts';
import { connectTo, openHome, testClock } from '../connection/setup.ts';
import { startBetterAuth } from './better-auth/start.ts';

const redirectUri = 'https://app.example/callback';

/** The server, which ends every token of a person and app if one comes twice, and a connection to it. */
async function start() {
  const [server, home, clock] = [await startBetterAuth(redirectUri), await openHome(), testClock()];
  const connections = connectTo(server, home, { clock, redirectUri });
  onTestFinished(async () => {
    await connections.close();
    await server.stop();
    await home.remove();
  });
  const signInAs = async (name: string) => {
    const person = await server.person(name);
    return async () => {
      const begun = await connections.signIn({ scopes: allScopes, listen: false });
      await begun.paste((await person.approve(begun.url)).href);
      return begun.done;
    };
  };
  return { server, connections, clock, signInAs };
}

it('a connection lives at better-auth', { timeout: 300_000 }, async () => {
  const { server, connections, clock, signInAs } = await start();
  await liveThrough({
    baseUrl: server.baseUrl,
    connections,
    clock,
    lifetimeMs: 600_000,
    signIn: await signInAs('mira'),
    loseRenewal: () => server.lose('refresh_token'),
    endThere: server.revokeThere,
    living: server.living,
  });
});

it('a sign-in of another person leaves one connection at better-auth', async () => {
  const { server, connections, signInAs } = await start();
  await (await signInAs('mira'))();
  expect(await (await signInAs('noor'))()).toMatchObject({ account: 'noor', leftOne: false });
  const before = await connections.bearer();
  expect((await connections.onUnauthorized(before)).generation).toBe(before.generation + 1);
  expect(await server.living()).toBe(1);
});
