import type { Effect } from './catalogue-control.ts';
import type { Workshop } from './workshop.ts';

export type Scope = 'assets:write' | 'assets:replace' | 'sets:write' | 'groups:write' | 'relationships:write';

/** All of these are needed, of each any one. */
export type Needs = readonly (readonly Scope[])[];

/** A path below `{base_url}`, and the part of its query that matters. */
export interface Where {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** A call of a tool. */
export interface Call {
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
}

/** Where a revision is read: by the server before it sends, and by the tool that shows it to a caller. */
export interface Revision {
  /** Below `{base_url}`. */
  readonly path: string;
  readonly read: Call;
}

/** A call that can only succeed, unless the catalogue fails. */
export interface PreparedCall {
  readonly arguments: Record<string, unknown> & { readonly clientMutationId: string };
  /** Shows the revision that it rests on; null: nothing has one. */
  readonly read: Call | null;
  /** The subject may be another call's now. */
  free?(): void;
}

export interface Prepared extends PreparedCall {
  /** Its one request; `query` tells it from every other to the same path, where anything does. */
  readonly post: Where;
  /** What its guard reads before it is sent; null: nothing. */
  readonly guard: Where | null;
  /** What tells of it afterwards; null: nothing does. */
  readonly lookup: Where | null;
  /** Whether an effect is this call's. */
  made(effect: Effect): boolean;
}

/** The three requests that a submission is made of. */
export type SubmissionStep = 'admission' | 'transfer' | 'completion';

export interface PreparedSubmission extends PreparedCall {
  /** What each step posts; a `*` stands for the submission's id, which nobody knows before. */
  readonly posts: Readonly<Record<SubmissionStep, Where>>;
}

interface Use<Made extends PreparedCall> {
  /** The tool's name, and what tells this use from its others. */
  readonly name: string;
  readonly needs: Needs;
  /** What it makes or touches, as answers name it. */
  readonly touches: { readonly kind: string; readonly title?: RegExp };
  /** `none`: nothing has a revision yet. */
  readonly revision: 'read' | 'none';
  /** A new subject for each call. */
  prepare(workshop: Workshop): Promise<Made>;
}

/** A change that is one request. */
export interface Change extends Use<Prepared> {
  /** Where nothing tells its request from another one's to the same path: that path. */
  readonly sharedPath?: string;
}

export interface Submission extends Use<PreparedSubmission> {
  /** The paths that nothing tells from another submission's. */
  readonly sharedPaths: Readonly<Record<SubmissionStep, string | null>>;
}

type Arguments = Record<string, unknown>;

/** All that the suites know of a tool. Its file in test/tools is named as the tool, with hyphens. */
export interface ToolFile {
  /** Arguments as models write them, and the same as the operation spells them, where that differs. */
  readonly written: readonly { readonly said: object; readonly meant?: object }[];
  /** What it needs beyond its changes. */
  readonly rights?: readonly {
    readonly name: string;
    readonly needs: Needs;
    call(workshop: Workshop): Arguments | Promise<Arguments>;
  }[];
  /** Arguments with which it succeeds. A tool with changes is called with the first of them. */
  call?(workshop: Workshop): Arguments | Promise<Arguments>;
  readonly changes?: readonly Change[];
  readonly submission?: Submission;
}
