import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import { isJsonObject } from '../../../../libs/kernel/index.js';
import { OutboundRequestFailed, OutboundUrlRefused } from '../../../platform/outbound/outbound-errors.js';
import { SsoRefused, type SsoReason } from '../shared/sso-reasons.js';

/** Unexpected claims of the ID token, and `iss` of the response. */
const reasonOfClaim: Record<string, SsoReason> = {
  iss: 'issuer',
  aud: 'audience',
  azp: 'audience',
  exp: 'expired',
  nbf: 'not_yet_valid',
  iat: 'not_yet_valid',
  nonce: 'nonce',
};

/** Returns the error and its causes, outermost first. */
function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let cause = error; cause !== undefined && chain.length < 10;) {
    chain.push(cause);
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return chain;
}

/** Maps errors of openid-client to a refusal. Rethrows faults of this server. */
export function oidcRefusal(error: unknown): SsoRefused {
  const chain = causesOf(error);
  const known = chain.find((cause) => cause instanceof SsoRefused);
  if (known) return known;
  if (chain.some((cause) => cause instanceof OutboundRequestFailed || cause instanceof OutboundUrlRefused)) {
    return new SsoRefused('idp_unreachable');
  }
  // The provider reported the error, at the redirect or at its token endpoint.
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    return new SsoRefused('idp_error');
  }
  if (!(error instanceof ClientError)) throw error;
  for (const cause of chain) {
    if (!isJsonObject(cause) || typeof cause.claim !== 'string') continue;
    return new SsoRefused(reasonOfClaim[cause.claim] ?? 'id_token');
  }
  return new SsoRefused(reasonOfMessage(chain));
}

/** Maps a failed userinfo call to a refusal. A network fault must not remove roles, so it ends the sign-in. */
export function userinfoRefusal(error: unknown): 'other_subject' {
  const isWithoutSubject = causesOf(error).some(
    (cause) => cause instanceof Error && /body "sub" property/.test(cause.message),
  );
  if (isWithoutSubject) return 'other_subject';
  throw new SsoRefused('userinfo_failed');
}

function reasonOfMessage(chain: unknown[]): SsoReason {
  const messages = chain.map((cause) => (cause instanceof Error ? cause.message : '')).join(' ');
  // A missing claim is named only in the message.
  const [, claim] = /"(iss|aud|azp|exp|nbf|iat|nonce)"/.exec(messages) ?? [];
  if (claim !== undefined) return reasonOfClaim[claim] ?? 'id_token';
  if (/signature|JWS|"alg"|jwks|key/i.test(messages)) return 'signature';
  return 'id_token';
}
