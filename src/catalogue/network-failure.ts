import { ArtworkError } from '../errors.ts';
import { ForbiddenAddress } from './addresses.ts';
import { AnswerTooLarge } from '../wire/exchange.ts';
import { answerTooLarge } from './wire-body.ts';

// Faults that may pass by themselves. A wrong certificate or an unknown name stays what it is.
const passing: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

const malformed: ReadonlySet<string> = new Set([
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
]);

/** Whether the failure of a connection may be gone at the next try. */
export function mayFailurePass(error: Error): boolean {
  return passing.has(codeOf(error) ?? '');
}

/** Whether the other end refused the connection, so that nothing was sent. */
export function wasConnectionRefused(error: Error): boolean {
  return codeOf(error) === 'ECONNREFUSED';
}

/** The error to show for a request that got no whole answer. Only the fault's code is told, never its text. */
export function networkFailure(origin: string, error: Error, maxBytes: number, status = 0): ArtworkError {
  if (error instanceof ArtworkError) return error;
  if (error instanceof AnswerTooLarge) return answerTooLarge(maxBytes, status);
  const facts = { cause: error, ...(status === 0 ? {} : { status }) };
  if (error instanceof ForbiddenAddress) {
    return new ArtworkError(
      'invalid_arguments',
      `${origin} is not a public address; it is not fetched.`,
      facts,
    );
  }
  const code = codeOf(error);
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') {
    return new ArtworkError('cancelled', 'The client was closed.', facts);
  }
  if (error.name === 'HTTPParserError' || malformed.has(code ?? '')) {
    return new ArtworkError('bad_response', `What ${origin} answered is not correct HTTP.`, facts);
  }
  const fault = code === undefined ? '' : ` (${code})`;
  return new ArtworkError('network', `${origin} ${words(code)}${fault}.`, facts);
}

function words(code: string | undefined): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'accepts no connection';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'has a name that can not be resolved';
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
      return 'did not answer in time';
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return 'has a certificate that is not trusted here; NODE_EXTRA_CA_CERTS can name its authority';
    default:
      return 'could not be reached, or the connection to it broke';
  }
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
