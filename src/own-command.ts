import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { paths } from './machine.ts';

/**
 * A command of this program as a person can type it in a terminal: by its name where it was started by that, else by the
 * paths of Node and of the built program, since a checkout puts no command of that name on anyone's PATH.
 * @param words what stands behind the program's name
 */
export function ownCommand(...words: readonly string[]): string {
  return [isStartedByName() ? 'artwork-mcp' : programByPath(), ...words].join(' ');
}

/** Whether the program's name is a command here. A link that a package manager made in a project is none. */
export function isStartedByName(): boolean {
  const { base, dir } = path.parse(process.argv[1] ?? '');
  return base === 'artwork-mcp' && path.basename(dir) !== '.bin';
}

function programByPath(): string {
  // What runs a bundle in Claude Desktop is Claude Desktop itself, which takes no commands.
  const node = process.versions.electron === undefined ? process.execPath : 'node';
  const program = fileURLToPath(new URL('cli.js', import.meta.url));
  return [node, program].map(paths.shellWord).join(' ');
}
