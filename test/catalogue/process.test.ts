import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Bundle, bundle } from '../support/bundle.ts';
import { certificate, key } from './certificate.ts';
import { serveRaw } from './scripted-server.ts';

let built: Bundle;
let folder: string;
let authority: string;

beforeAll(async () => {
  built = await bundle({ 'read-one': 'test/catalogue/read-one-process.ts' });
  folder = await mkdtemp(path.join(tmpdir(), 'catalogue-'));
  authority = path.join(folder, 'authority.pem');
  await writeFile(authority, certificate);
});

afterAll(async () => {
  await built.remove();
  await rm(folder, { recursive: true });
});

async function readOne(baseUrl: string, environment: Record<string, string>): Promise<unknown> {
  const { PATH = '' } = process.env;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [built.program('read-one'), baseUrl],
    {
      env: { PATH, ...environment },
      timeout: 100_000,
    },
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

async function serveTls(): Promise<number> {
  const server = https.createServer({ cert: certificate, key }, (_request, response) => {
    response.setHeader('connection', 'close').end('{"data":{"id":1}}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

test('NODE_EXTRA_CA_CERTS names an authority; without it the error does', async () => {
  const baseUrl = `https://localhost:${await serveTls()}`;
  expect(await readOne(baseUrl, { NODE_EXTRA_CA_CERTS: authority })).toEqual({ id: 1 });
  expect(await readOne(baseUrl, {})).toEqual({
    category: 'network',
    message: expect.stringMatching(/certificate that is not trusted.*NODE_EXTRA_CA_CERTS/),
  });
});

test('HTTPS_PROXY is asked for a tunnel, and what goes through it is end-to-end TLS', async () => {
  const port = await serveTls();
  const heads: string[] = [];
  const proxy = await serveRaw((socket) => {
    socket.once('data', (head) => {
      heads.push(head.toString('latin1').split('\r\n')[0] ?? '');
      const onward = net.connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.pipe(onward).pipe(socket);
      });
      onward.on('error', () => socket.destroy());
    });
  });
  const environment = { NODE_EXTRA_CA_CERTS: authority, HTTPS_PROXY: proxy.origin };
  expect(await readOne('https://catalogue.test', environment)).toEqual({ id: 1 });
  expect(heads).toEqual(['CONNECT catalogue.test:443 HTTP/1.1']);
  expect(await readOne(`https://localhost:${port}`, environment)).toEqual({ id: 1 });
  expect(heads).toHaveLength(1);
});
