import module from 'node:module';

/**
 * Lets Node keep the code that it has compiled for the next start. Node 22 and later keep compiled code between
 * starts; Node 20 has no such thing, and starts without.
 */
export function enableCompileCache(): void {
  if ('enableCompileCache' in module && typeof module.enableCompileCache === 'function')
    module.enableCompileCache();
}
