/** How the program is bundled, for the build and for tests that bundle a part of it. */
export const bundling = /** @type {const} */ ({
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // Native, or read as files: they stay packages of their own.
  external: ['libsql', 'sharp', '@napi-rs/keyring', 'dejavu-fonts-ttf'],
  // Bundled CommonJS packages call require() for Node's own modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
