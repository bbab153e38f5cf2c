import { entityKind, setKind } from '../mcp/kinds.ts';
import type { Dispatch } from '../mcp/dispatch.ts';
import type { ReadResource } from '../mcp/surface.ts';

/**
 * The resource by which hosts read pictures. `artwork://<kind>/<id>`: the same answer as get_entity or get_set
 * gives with these arguments.
 */
export function createArtworkResource(dispatch: Dispatch): ReadResource {
  return async (uri, signal) => {
    const named = parseUri(uri);
    if (named === null) {
      return {
        outcome: 'not_found',
        message: 'Resources are artwork://<kind>/<id>, such as artwork://show/1.',
      };
    }
    const call = { signal, progress: ignored, showUrl: ignored, roots: noRoots };
    const dispatched = await dispatch(named.tool, { kind: named.kind, id: named.id }, call);
    if (dispatched === null)
      return { outcome: 'failed', message: 'ARTWORK_TOOLSETS leaves the catalogue out.' };
    const { result, error } = dispatched;
    if (error !== null) {
      return { outcome: error.category === 'not_found' ? 'not_found' : 'failed', message: error.message };
    }
    return {
      outcome: 'read',
      text: result.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    };
  };
}

function parseUri(uri: string): { tool: string; kind: string; id: number } | null {
  const [, kind = '', digits = ''] = /^artwork:\/\/([a-z_]+)\/(\d{1,15})$/.exec(uri) ?? [];
  if (digits === '') return null;
  const id = Number(digits);
  if (entityKind.safeParse(kind).success) return { tool: 'get_entity', kind, id };
  if (setKind.safeParse(kind).success) return { tool: 'get_set', kind, id };
  return null;
}

/** A resource is read without a progress token, and shows no page. */
async function ignored(): Promise<void> {}

async function noRoots(): Promise<readonly string[]> {
  return [];
}
