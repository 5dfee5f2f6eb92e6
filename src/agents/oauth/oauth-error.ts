import { ApiError } from '../../platform/http/errors/api-error.js';

/** Codes of RFC 6749, RFC 7591 and RFC 8707. */
export type OauthErrorCode =
  | 'access_denied'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'unsupported_response_type';

/** 400, or 401 for an unknown client. */
export function oauthError(error: OauthErrorCode, description: string): ApiError {
  const kind = error === 'invalid_client' ? 'unauthenticated' : 'parameter';
  return new ApiError(kind, description, { oauthError: error });
}
