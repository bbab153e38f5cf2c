import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary.ts';

/** A real server in a folder of its own, on a port of the loopback. */
export interface PostgresServer {
  readonly port: number;
  /** The URL of the one who may do all. */
  readonly url: string;
  /** A new database that belongs to a role without any other right; answers the URL of the role. */
  database(): Promise<string>;
  /** Runs statements as the one who may do all. */
  admin(database: string, sql: string): Promise<pg.QueryResult>;
  /** Ends it as a crash does, in the middle of what it does. */
  crash(): Promise<void>;
  /** Starts it again after that. */
  start(): Promise<void>;
  /** A PgBouncer in transaction mode before it; answers a URL of the same database that leads through it. */
  throughBouncer(url: string): Promise<string>;
  end(): Promise<void>;
}

const system = '/usr/lib/postgresql';

function binFolder(): string | null {
  const versions = existsSync(system) ? readdirSync(system) : [];
  const found = versions.map((version) => path.join(system, version, 'bin'));
  return found.toSorted().findLast((folder) => existsSync(path.join(folder, 'initdb'))) ?? null;
}

const bouncer = '/usr/sbin/pgbouncer';

/** Why no PostgreSQL can be started here; null: it can. */
export const postgresMissing: string | null =
  binFolder() === null || !existsSync(bouncer)
    ? 'the packages postgresql and pgbouncer of the system are not installed'
    : null;

/** PostgreSQL and PgBouncer refuse to run as root. */
const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const admin = 'boss';
/** No answer and no log may show it. */
export const storePassword = 'canary-5e1f-password';

export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  const bin = binFolder();
  if (bin === null) throw new Error(postgresMissing ?? '');
  const folder = await temporaryFolder();
  const data = path.join(folder.path, 'data');
  const own = (name: string, content: string | null) => {
    const file = path.join(folder.path, name);
    if (content === null) mkdirSync(file, { mode: 0o700, recursive: true });
    else writeFileSync(file, content, { mode: 0o600 });
    if (asNobody.uid !== undefined) chownSync(file, asNobody.uid, asNobody.gid);
    return file;
  };
  own('.', null);
  const password = own('password', storePassword);
  const initialized = ['-D', data, '-U', admin, '--pwfile', password, '-A', 'scram-sha-256'];
  const defaults = ['--no-locale', '-E', 'UTF8', '--no-sync'];
  execFileSync(path.join(bin, 'initdb'), [...initialized, ...defaults], {
    ...asNobody,
    cwd: folder.path,
    stdio: 'ignore',
  });
  const port = await freePort();
  const adminOf = (name: string) => `postgres://${admin}:${storePassword}@127.0.0.1:${port}/${name}`;
  const run = async (name: string, sql: string): Promise<pg.QueryResult> => {
    const client = new pg.Client({ connectionString: adminOf(name) });
    await client.connect();
    try {
      return await client.query(sql);
    } finally {
      await client.end();
    }
  };
  const running = new Set<ChildProcess>();
  const begin = (command: string, args: readonly string[]): ChildProcess => {
    const child = spawn(command, [...args], { ...asNobody, cwd: folder.path, stdio: 'ignore' });
    running.add(child);
    child.once('close', () => running.delete(child));
    return child;
  };
  const finish = async (child: ChildProcess, signal: NodeJS.Signals) => {
    const ended = once(child, 'close');
    if (child.kill(signal)) await ended;
  };
  let server: ChildProcess | null = null;
  const start = async () => {
    const options = {
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: 100,
    };
    const given = [...Object.entries(options).map(([name, value]) => `${name}=${value}`), ...settings];
    for (;;) {
      server ??= begin(path.join(bin, 'postgres'), ['-D', data, ...given.flatMap((one) => ['-c', one])]);
      try {
        await run('postgres', 'SELECT 1');
        return;
      } catch {
        // Some process of the one that crashed may still be there.
        if (server.exitCode !== null) server = null;
        await sleep(50);
      }
    }
  };
  await start();
  await run('postgres', `CREATE ROLE artwork LOGIN PASSWORD '${storePassword}'`);
  return {
    port,
    url: adminOf('postgres'),
    start,
    admin: run,
    async database() {
      const name = `store_${randomBytes(6).toString('hex')}`;
      await run('postgres', `CREATE DATABASE ${name}`);
      await run(name, 'CREATE SCHEMA artwork AUTHORIZATION artwork');
      return `postgres://artwork:${storePassword}@127.0.0.1:${port}/${name}`;
    },
    async crash() {
      if (server !== null) await finish(server, 'SIGQUIT');
      server = null;
    },
    async throughBouncer(url) {
      const listening = await freePort();
      const users = own('users.txt', `"artwork" "${storePassword}"\n"${admin}" "${storePassword}"\n`);
      const lines = [
        '[databases]',
        `* = host=127.0.0.1 port=${port}`,
        '[pgbouncer]',
        'listen_addr = 127.0.0.1',
        `listen_port = ${listening}`,
        'unix_socket_dir =',
        'auth_type = scram-sha-256',
        `auth_file = ${users}`,
        'pool_mode = transaction',
        'max_client_conn = 1000',
        'default_pool_size = 10',
      ];
      begin(bouncer, ['-q', own('pgbouncer.ini', lines.join('\n'))]);
      const through = new URL(url);
      through.port = String(listening);
      for (;;) {
        const client = new pg.Client({ connectionString: through.href });
        try {
          await client.connect();
          await client.end();
          return through.href;
        } catch {
          await sleep(50);
        }
      }
    },
    async end() {
      for (const child of running) await finish(child, child === server ? 'SIGQUIT' : 'SIGKILL');
      await folder.remove();
    },
  };
}
