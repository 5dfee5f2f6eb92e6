import { OutboundRequestFailed, type OutboundFailure, OutboundUrlRefused } from './outbound-errors.js';

interface FailureRule {
  /** Error codes of Node, OpenSSL and undici. */
  code: RegExp;
  kind: OutboundFailure;
  message: string;
}

/** The first matching rule applies. */
const rules: readonly FailureRule[] = [
  {
    code: /^(ENOTFOUND|ENODATA|ESERVFAIL|EAI_.*)$/,
    kind: 'dns',
    message: 'The name of the host was not found',
  },
  {
    code: /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/,
    kind: 'timeout',
    message: 'No answer came in time',
  },
  {
    code: /^(ECONNREFUSED|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/,
    kind: 'connect',
    message: 'The host could not be reached',
  },
  {
    code: /^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_(SOCKET|DESTROYED|CLOSED))$/,
    kind: 'reset',
    message: 'The connection was closed before the answer was complete',
  },
  {
    code: /CERT|CRL|_CA$|SIGNATURE|SSL|TLS|ALTNAME|HOSTNAME_MISMATCH|PATH_LENGTH|INVALID_PURPOSE|^EPROTO$/,
    kind: 'tls',
    message: 'The TLS connection failed',
  },
  {
    code: /^(UND_ERR_(INVALID_ARG|NOT_SUPPORTED|REQ_CONTENT_LENGTH_MISMATCH)|ERR_(INVALID_HTTP_TOKEN|HTTP_INVALID_HEADER_VALUE|INVALID_CHAR))$/,
    kind: 'refused',
    message: 'The request contains a header that cannot be sent',
  },
  { code: /^HPE_/, kind: 'protocol', message: 'The answer is not HTTP' },
];

/** Node's errors may belong to another realm, so compare their contents, not their class. */
function partsOf(error: unknown): { code: string; cause: unknown } {
  if (typeof error !== 'object' || error === null) return { code: '', cause: undefined };
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return { code: typeof code === 'string' ? code : '', cause };
}

export function failureOf(error: unknown): OutboundRequestFailed {
  if (error instanceof OutboundRequestFailed) return error;
  const { code, cause } = partsOf(error);
  const refusal = [error, cause].find((candidate) => candidate instanceof OutboundUrlRefused);
  if (refusal) return new OutboundRequestFailed('refused', refusal.message);
  const rule = rules.find((candidate) => candidate.code.test(code));
  const detail = code === '' ? '' : ` (${code})`;
  return rule
    ? new OutboundRequestFailed(rule.kind, `${rule.message}${detail}.`)
    : new OutboundRequestFailed('protocol', `The exchange failed${detail}.`);
}
