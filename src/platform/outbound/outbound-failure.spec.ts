import { OutboundRequestFailed, OutboundUrlRefused } from './outbound-errors.js';
import { failureOf } from './outbound-failure.js';

const withCode = (code: string): Error => Object.assign(new Error('x'), { code });

describe('failure of an outbound call', () => {
  it.each([
    ['ENOTFOUND', 'dns'],
    ['EAI_AGAIN', 'dns'],
    ['ENODATA', 'dns'],
    ['ECONNREFUSED', 'connect'],
    ['EHOSTUNREACH', 'connect'],
    ['ETIMEDOUT', 'connect'],
    ['UND_ERR_CONNECT_TIMEOUT', 'connect'],
    ['ECONNRESET', 'reset'],
    ['EPIPE', 'reset'],
    ['UND_ERR_SOCKET', 'reset'],
    ['UND_ERR_DESTROYED', 'reset'],
    ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
    ['UND_ERR_BODY_TIMEOUT', 'timeout'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'tls'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
    ['INVALID_CA', 'tls'],
    ['EPROTO', 'tls'],
    ['ERR_INVALID_CHAR', 'refused'],
    ['ERR_INVALID_HTTP_TOKEN', 'refused'],
    ['UND_ERR_INVALID_ARG', 'refused'],
    ['HPE_INVALID_CONSTANT', 'protocol'],
    ['UND_ERR_HEADERS_OVERFLOW', 'protocol'],
    ['SOMETHING_NEW', 'protocol'],
  ])('maps the code %s to the kind %s', (code, kind) => {
    const failure = failureOf(withCode(code));
    expect(failure.kind).toBe(kind);
    expect(failure.message).toContain(code);
  });

  it('counts as a refusal if the address was refused, however deep that is wrapped', () => {
    const refusal = new OutboundUrlRefused('private_address', 'h is not public.');
    for (const error of [refusal, new Error('connect failed', { cause: refusal })]) {
      expect(failureOf(error)).toMatchObject({ kind: 'refused', message: 'h is not public.' });
    }
  });

  it('keeps a failure that is already classified', () => {
    const failure = new OutboundRequestFailed('timeout', 'late');
    expect(failureOf(failure)).toBe(failure);
  });

  it.each([undefined, null, 'text', {}, new Error('secret of a library'), { code: 7 }])(
    'reports a protocol failure without a code, and repeats no foreign message (%j)',
    (error) => {
      expect(failureOf(error)).toMatchObject({ kind: 'protocol', message: 'The exchange failed.' });
    },
  );
});
