import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { measureLedger } from '../bench/ledger.mjs';

const root = path.resolve(import.meta.dirname, '..');
const benches = readdirSync(path.join(root, 'bench')).filter((name) => name.endsWith('.mjs'));

/** What a bench takes out of the source by a bundle of its own, which no compiler sees. */
function partsOf(bench: string): { name: string; file: string }[] {
  const text = readFileSync(path.join(root, 'bench', bench), 'utf8');
  return [...text.matchAll(/export \{([^}]*)\} from '\.\/((?:src|test)\/[^']+\.ts)'/g)].flatMap(
    ([, names = '', file = '']) => names.split(',').map((name) => ({ name: name.trim(), file })),
  );
}

function exportsOf(file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  return [...text.matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm)].map(
    ([, name = '']) => name,
  );
}

describe('the bench', () => {
  const parts = benches.flatMap((bench) => partsOf(bench).map((part) => ({ bench, ...part })));

  it('takes parts out of the source', () => {
    expect(parts.length).toBeGreaterThan(10);
  });

  it.each(parts)('$bench finds $name in $file', ({ name, file }) => {
    expect(exportsOf(file)).toContain(name);
  });

  it('can open the ledger, and ask it', async () => {
    const { claim, place, page } = await measureLedger({ few: 2, many: 20, rounds: 1 });
    for (const { short, long } of [claim, place, page]) {
      expect(short).toBeGreaterThan(0);
      expect(long).toBeGreaterThan(0);
    }
  });
});
