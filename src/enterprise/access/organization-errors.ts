import { ApiError } from '../../platform/http/errors/api-error.js';

export function noOrganization(orgId: string): ApiError {
  return new ApiError('missing', `There is no organization ${JSON.stringify(orgId)}.`);
}

export function missingInOrganization(what: string, id: string, param?: string): ApiError {
  return new ApiError('missing', `There is no ${what} ${JSON.stringify(id)} in this organization.`, {
    param,
  });
}

export function mustUseSso(): ApiError {
  return new ApiError(
    'forbidden',
    'The organization requires its single sign-on. Sign out, and sign in with it (SSO).',
    { reason: 'sso_required' },
  );
}
