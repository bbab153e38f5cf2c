#!/usr/bin/env node
import module from 'node:module';
import v8 from 'node:v8';

// Before all else: V8 keeps the memory that it takes while the program is loaded.
// Its space for new objects would grow to 32 MB, half as much again as the whole server takes. It would also compile
// undici's HTTP parser a second time for speed, for 35 MB, although the parser reads a few answers a second.
for (const flag of ['--semi-space-growth-factor=1', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) {
  v8.setFlagsFromString(flag);
}
// Node 22 and later keep compiled code for the next start. Node 20 can't.
if ('enableCompileCache' in module && typeof module.enableCompileCache === 'function')
  module.enableCompileCache();

void import('./commands/index.ts').then(({ runProgram }) => runProgram(process.argv.slice(2)));
