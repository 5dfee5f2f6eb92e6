import type { ApiError, ErrorKind } from './api-error.js';
import type { ApiFormat } from '../pipeline/request.js';
import { SCIM_ERROR_SCHEMA } from '../pipeline/scim-answer.js';

/** SDK and REST v1: `code` is always an integer (a string breaks the web SDK's mapping). */
export function v1Body(error: ApiError): object {
  const { attributeErrors, obfuscatedEmail } = error.details;
  return {
    code: error.code,
    message: error.message,
    attribute_errors: attributeErrors,
    purchase_redemption_error_info: obfuscatedEmail && { obfuscated_email: obfuscatedEmail },
  };
}

function v2Body(error: ApiError, baseUrl: string): object {
  const { param, reason, retryAfterS, referencedObjectIds, elsewhere, problems } = error.details;
  return {
    object: 'error',
    type: error.type,
    reason,
    param,
    message: error.message,
    doc_url: `${baseUrl}/docs/errors/${error.type.replaceAll('_', '-')}`,
    retryable: error.retryable,
    backoff_ms: error.retryable && retryAfterS !== undefined ? retryAfterS * 1000 : undefined,
    referenced_object_ids: referencedObjectIds,
    problems,
    ...(elsewhere && { region: elsewhere.region, api_url: elsewhere.apiUrl, app_url: elsewhere.appUrl }),
  };
}

function accountBody(error: ApiError): object {
  const { param, accountType, reason, ssoUrl, retryAfterS } = error.details;
  const type = accountType ?? error.type;
  return { type, message: error.message, reason, param, sso_url: ssoUrl, retry_after: retryAfterS };
}

const oauthErrors: Partial<Record<ErrorKind, string>> = {
  unauthenticated: 'invalid_client',
  forbidden: 'access_denied',
  internal: 'server_error',
  overloaded: 'temporarily_unavailable',
  rate_limited: 'temporarily_unavailable',
};

/** RFC 6749, 5.2: a description contains neither quotation marks nor backslashes. */
function oauthBody(error: ApiError): object {
  return {
    error: error.details.oauthError ?? oauthErrors[error.kind] ?? 'invalid_request',
    error_description: error.message.replaceAll(/["\\]/g, "'"),
  };
}

const scimTypes: Partial<Record<ErrorKind, string>> = {
  already_exists: 'uniqueness',
  invalid_request: 'invalidSyntax',
  parameter: 'invalidValue',
};

/** RFC 7644, 3.12: the status is a string. */
function scimBody(error: ApiError): object {
  const scimType = error.details.scimType ?? scimTypes[error.kind];
  return { schemas: [SCIM_ERROR_SCHEMA], status: String(error.status), scimType, detail: error.message };
}

export function errorBody(error: ApiError, format: ApiFormat, baseUrl: string): object {
  if (format === 'v1') return v1Body(error);
  if (format === 'oauth') return oauthBody(error);
  if (format === 'scim') return scimBody(error);
  return format === 'account' ? accountBody(error) : v2Body(error, baseUrl);
}
