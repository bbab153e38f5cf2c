import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  InitializeRequestSchema,
  type JSONRPCRequest,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

const schemas = {
  initialize: InitializeRequestSchema,
  'tools/call': CallToolRequestSchema,
  'resources/read': ReadResourceRequestSchema,
  'completion/complete': CompleteRequestSchema,
};

/** In one sentence what is wrong with the parameters of a request; null: nothing, or the method is not known here. */
export function wrongParams(request: JSONRPCRequest): string | null {
  const schema = Object.entries(schemas).find(([method]) => method === request.method)?.[1];
  const issue = schema?.safeParse(request).error?.issues[0];
  if (issue === undefined) return null;
  const place = issue.path.join('.');
  return `${request.method} can't be read: ${place} ${issue.code === 'invalid_type' ? `must be ${named(issue.expected)}` : 'is not right'}.`;
}

function named(type: string): string {
  switch (type) {
    case 'record':
    case 'object':
      return 'an object';
    case 'array':
      return 'a list';
    default:
      return `a ${type}`;
  }
}
