#!/usr/bin/env node
import { enableCompileCache, keepHeapSmall } from './process.ts';

// First of all: what the space for new objects has grown to while the program is loaded, it keeps.
keepHeapSmall();
enableCompileCache();
const { runProgram } = await import('./commands/index.ts');
await runProgram(process.argv.slice(2));
