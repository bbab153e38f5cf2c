import { z } from 'zod';

/** Fields of several bodies and queries, named as in the interface document where it names them. */

/** Converted to lower case, so that one id has one spelling. */
export const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'This must be a UUID.')
  .transform((id) => id.toLowerCase());

export const resourceId = z.int('This must be an integer.').nonnegative();

/** A resource's id in a query. */
export const writtenId = z
  .string()
  .regex(/^[0-9]{1,15}$/, 'This must be an integer.')
  .transform(Number);

export const title = z
  .string()
  .max(200)
  .refine((text) => text.trim() !== '', 'This must not be empty.')
  .refine((text) => !/\p{Cc}/u.test(text), 'This must be one line.');

/** Line breaks and tabs are allowed, other control characters are not. */
export const description = z
  .string()
  .max(2000)
  .refine((text) => !/[^\P{Cc}\n\r\t]/u.test(text), 'This must be text.')
  .nullable();

/** `en`, `pt-BR`, `zh-Hant`: a language and its subtags. */
export const languageCode = z
  .string()
  .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, 'This must be a language code such as en or pt-BR.');

/** Compared byte for byte, so any string is allowed. */
export const revision = z.string().min(1).max(100);

/** Assumed: editions are numbered. */
export const editionId = resourceId.nullable();

/** Counted from 0. */
export const frame = z.int('This must be an integer.').nonnegative();
