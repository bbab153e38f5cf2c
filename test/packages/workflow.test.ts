import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const root = path.resolve(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(path.join(root, name), 'utf8');

const job = z.looseObject({
  'runs-on': z.string(),
  strategy: z
    .object({ matrix: z.record(z.string(), z.array(z.union([z.string(), z.int()]))) })
    .partial()
    .optional(),
  steps: z.array(
    z.object({
      if: z.string().optional(),
      uses: z.string().optional(),
      with: z.record(z.string(), z.unknown()).optional(),
      run: z.string().optional(),
      env: z.record(z.string(), z.union([z.string(), z.int()])).optional(),
    }),
  ),
});
const { jobs } = z.object({ jobs: z.record(z.string(), job) }).parse(parse(read('.github/workflows/ci.yml')));
const manifest = z
  .looseObject({ scripts: z.record(z.string(), z.string()), engines: z.object({ node: z.string() }) })
  .parse(JSON.parse(read('package.json')));

const steps = Object.values(jobs).flatMap((one) => one.steps);
const runs = (of: readonly { readonly run?: string | undefined }[]) => of.flatMap(({ run }) => run ?? []);
const suite = jobs.suite?.steps ?? [];

describe('the workflow', () => {
  it('runs the whole suite on three systems and every Node that is promised', () => {
    const { matrix } = jobs.suite?.strategy ?? {};
    expect(matrix).toEqual({
      os: ['ubuntu-latest', 'macos-latest', 'windows-latest'],
      node: [20, 22, 24],
    });
    expect(jobs.suite?.['runs-on']).toMatch(/^\$\{\{ matrix\.os \}\}$/);
    expect(suite.find(({ uses }) => uses?.startsWith('actions/setup-node@'))?.with).toMatchObject({
      'node-version': expect.stringMatching(/^\$\{\{ matrix\.node \}\}$/),
    });
    expect(manifest.engines.node).toMatch(/^>=20\./);
    const everywhere = runs(suite.filter((step) => step.if === undefined));
    expect(everywhere).toEqual(expect.arrayContaining(['npm test', 'npm run test:slow', 'npm run demo']));
  });

  it('runs scripts that there are, and test files that there are', () => {
    const lines = runs(steps).flatMap((run) => run.split('\n'));
    const scripts = lines.flatMap((line) => /^npm run (\S+)/.exec(line)?.[1] ?? []);
    expect(scripts.length).toBeGreaterThan(6);
    expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([]);
    const files = lines.flatMap((line) =>
      [...line.matchAll(/\btest\/\S+\.test\.ts\b/g)].map(([file]) => file),
    );
    for (const file of files) expect(read(file)).toContain('ARTWORK_TEST_KILLS');
  });

  it('leaves out nothing that a change must pass', () => {
    const asked = [...read('.ci/run').matchAll(/^step '([^']+)' (.+)$/gm)].map(
      ([, name = '', command = '']) => ({
        name,
        env: Object.fromEntries(
          [...command.matchAll(/\b(ARTWORK_\w+)=(\d+)/g)].map(([, of, is]) => [of, Number(is)]),
        ),
        run: command.replace(/^env (?:\w+=\w+ )+/, '').replace(' --silent', ''),
      }),
    );
    expect(asked.length).toBeGreaterThan(10);
    // Linux has its own step for what it lacks, each suite builds, and the matrix has each Node.
    const otherwise = ['system packages', 'build', 'tests on Node 24'];
    const missing = asked.filter(
      ({ name, env, run }) =>
        !otherwise.includes(name) &&
        !steps.some((step) => step.run === run && JSON.stringify(step.env ?? {}) === JSON.stringify(env)),
    );
    expect(missing).toEqual([]);
    expect(asked.map(({ name }) => name)).toEqual(expect.arrayContaining(otherwise));
  });
});
