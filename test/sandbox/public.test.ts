import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, serveSandbox } from '../../src/sandbox/serve.ts';

let dataDir: string;
let sandbox: Sandbox;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'catalogue-'));
  sandbox = await serveSandbox({ dataDir, port: 0, basePath: '/catalogue/v1' });
});

afterAll(async () => {
  await sandbox.close();
  await rm(dataDir, { recursive: true });
});

test('an unknown show is a public 404', async () => {
  const response = await fetch(`${sandbox.baseUrl}/shows/1`);
  expect(response.status).toBe(404);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await response.json()).toEqual({
    data: null,
    error: { code: 'not_found', message: 'Show 1 does not exist.' },
  });
});
