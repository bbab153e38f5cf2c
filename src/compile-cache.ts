import module from 'node:module';

/** Node 22 and later keep compiled code between starts; Node 20 has no such thing, and starts without. */
export function enableCompileCache(): void {
  if ('enableCompileCache' in module && typeof module.enableCompileCache === 'function')
    module.enableCompileCache();
}
