#!/usr/bin/env node
import { enableCompileCache } from './compile-cache.ts';

enableCompileCache();
const { run } = await import('./commands/index.ts');
await run(process.argv.slice(2));
