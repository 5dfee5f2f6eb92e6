import type { Principal } from '../../platform/principal/principal.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { BlockedBy } from './blocked-customers.repository.js';

export type { BlockedBy };

export function blockedBy(principal: Principal): BlockedBy {
  switch (principal.kind) {
    case 'session':
      return { type: 'user', id: principal.userId, email: principal.email };
    case 'secret_key':
      return { type: 'api_key', id: principal.keyId, email: null };
    case 'oauth_token':
      return { type: 'oauth_client', id: principal.clientId, email: null };
    case 'scim_token':
      return { type: 'scim', id: principal.tokenId, email: null };
    case 'public_key':
    case 'customer_token':
      throw new ApiError('forbidden', 'Only a secret key or a signed-in user can block customers.');
  }
}
