import type { ModelRequest, Reply } from './fake-model/model.ts';

/** Where a host runs. */
export interface Place {
  /** This repository. */
  readonly root: string;
  /** The folder that its packages are installed in. */
  readonly installed: string;
  /** Its HOME, empty at the start. */
  readonly home: string;
  /** The folder that a person has opened in it. */
  readonly workspace: string;
  /** Origin of the model. */
  readonly modelUrl: string;
  /** What the person says. */
  readonly prompt: string;
  /** How the server is started. */
  readonly server: {
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  };
}

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** How one host is installed, told of the server and the model, and run without a screen. */
export interface Host {
  readonly name: string;
  /** Pinned; the first one is the host itself, and its version is shown. */
  readonly packages: readonly (readonly [name: string, version: string])[];
  /** The major version of Node that it runs on. */
  readonly node: 20 | 24;
  /** Writes its settings, and answers how it is run. */
  prepare(place: Place): Promise<Command>;
  /** How its model calls one of our tools; null where it can't yet. Default: the listed tool whose name ends so. */
  call?(tool: string, args: Args, request: ModelRequest, callId: string): Reply | null;
  /** Its model writes scripts, in which tools are functions. */
  readonly inScripts?: true;
  /** Where tools are held back: how its model searches for them. */
  readonly search?: Search;
}

export interface Search {
  /** The host's own tool. */
  ask(words: string, callId: string): Reply;
  /** The names of tools that a search has brought up, best first. Default: those that the interface itself tells. */
  found?(text: string): readonly string[];
  /** What brings up one that is known. */
  exactly(tool: string, description: string): string;
}

export type Args = Readonly<Record<string, unknown>>;
