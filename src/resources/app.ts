import { appMimeType, appUri } from '../curation/pages/app-uri.ts';
import { ArtworkError } from '../errors.ts';
import type { ReadResource, ResourceReading } from '../mcp/surface.ts';

/**
 * The resource by which hosts show saved pages. `ui://artwork-mcp/page`, and the parts of saved pages, which it
 * asks for: /<name>/<part>.
 */
export function createAppResource(home: string): ReadResource {
  return async (uri) => {
    const { appDocument, pagePart } = await import('../curation/pages/app.ts');
    if (uri === appUri) {
      return {
        outcome: 'read',
        text: appDocument(),
        mimeType: appMimeType,
        meta: { ui: { prefersBorder: false } },
      };
    }
    const [, name = '', part = ''] =
      /^ui:\/\/artwork-mcp\/page\/([a-z0-9-]{1,60})\/(\d{1,4})$/.exec(uri) ?? [];
    try {
      const text = await pagePart(home, name, Number(part));
      return text === null ? gone : { outcome: 'read', text, mimeType: 'text/plain' };
    } catch (error) {
      if (error instanceof ArtworkError) return { outcome: 'failed', message: error.message };
      throw error;
    }
  };
}

const gone: ResourceReading = {
  outcome: 'not_found',
  message: 'There is no such page, or none any more: pages are kept for a week.',
};
