import module from 'node:module';
import v8 from 'node:v8';

/**
 * Keeps the memory of this process small. For a process that runs for as long as its host is open: V8 would let the
 * space for new objects grow to 32 MB and more, and keep it, half as much again as the whole server takes. And it would
 * compile undici's HTTP parser, which is WebAssembly, a second time for speed: that takes 35 MB for a moment, of which
 * the system never gets a part back, while the parser reads the heads of a few answers a second.
 */
export function keepHeapSmall(): void {
  v8.setFlagsFromString('--semi-space-growth-factor=1');
  v8.setFlagsFromString('--no-wasm-tier-up');
  v8.setFlagsFromString('--no-wasm-dynamic-tiering');
}

/**
 * Lets Node keep the code that it has compiled for the next start. Node 22 and later keep compiled code between
 * starts; Node 20 has no such thing, and starts without.
 */
export function enableCompileCache(): void {
  if ('enableCompileCache' in module && typeof module.enableCompileCache === 'function')
    module.enableCompileCache();
}
