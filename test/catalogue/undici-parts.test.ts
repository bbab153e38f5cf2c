import undici from 'undici';
import connect from 'undici/lib/api/api-connect.js';
import connector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import UndiciDispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import { expect, it } from 'vitest';

it('the parts of undici that are loaded by their paths are those of its index', () => {
  expect(Agent).toBe(undici.Agent);
  expect(EnvHttpProxyAgent).toBe(undici.EnvHttpProxyAgent);
  expect(UndiciDispatcher).toBe(undici.Dispatcher);
  expect(connector).toBe(undici.buildConnector);
  expect(UndiciDispatcher.prototype.connect).toBe(connect);
});
