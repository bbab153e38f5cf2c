import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';

/** Stands in for the SDK's validator in the build (scripts/build.mjs), which says why. */
export class AjvJsonSchemaValidator implements jsonSchemaValidator {
  getValidator(): never {
    throw new Error('This server asks for no form, so it can check no answer to one.');
  }
}
