import { expect } from 'vitest';
import { z } from 'zod';

/** Reads a path below `{base_url}`, which must answer 200 with the public content type, as the record. */
export async function read<T extends z.ZodType>(baseUrl: string, path: string, type: T): Promise<z.infer<T>> {
  const response = await fetch(baseUrl + path);
  expect(response.status, path).toBe(200);
  expect(response.headers.get('content-type'), path).toBe('application/json; charset=utf-8');
  const parsed = type.safeParse(await response.json());
  if (!parsed.success) throw new Error(`${path} is not as documented:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

interface Page<Item> {
  readonly data: readonly Item[];
  readonly meta: { readonly page: number; readonly totalPages: number; readonly nextPage: string | null };
}

/** Follows `nextPage` from a first page to the end, and checks the page numbers on the way. */
export async function readAllPages<Item, T extends z.ZodType<Page<Item>>>(
  baseUrl: string,
  path: string,
  type: T,
): Promise<readonly z.infer<T>[]> {
  const pages: z.infer<T>[] = [];
  for (let next: string | null = path; next !== null; ) {
    const page: z.infer<T> = await read(baseUrl, next, type);
    pages.push(page);
    expect(page.meta.page).toBe(pages.length);
    expect(page.meta.totalPages).toBe(pages[0]?.meta.totalPages);
    next = page.meta.nextPage;
  }
  expect(pages).toHaveLength(pages[0]?.meta.totalPages ?? 0);
  return pages;
}
