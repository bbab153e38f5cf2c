// Bundles the program into dist/: loaded file by file, the MCP SDK alone takes six times as long to start.
import { chmod, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const outdir = path.join(root, 'dist');

await rm(outdir, { recursive: true, force: true });
await mkdir(outdir, { recursive: true });
await build({
  absWorkingDir: root,
  entryPoints: { cli: 'src/cli.ts', sandbox: 'src/sandbox/main.ts' },
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  chunkNames: 'chunk/[name]-[hash]',
  // Native, or read as files: they stay packages of their own.
  external: ['libsql', 'sharp', '@napi-rs/keyring', 'dejavu-fonts-ttf'],
  // Bundled CommonJS packages call require() for Node's own modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
  },
  minifySyntax: true,
  legalComments: 'linked',
  logLevel: 'warning',
});
await chmod(path.join(outdir, 'cli.js'), 0o755);
