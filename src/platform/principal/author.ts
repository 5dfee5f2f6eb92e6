import type { Principal } from './principal.js';

/** Who created something in a project: a person, or a program with a credential. */
export interface Author {
  type: 'user' | 'api_key' | 'oauth_client' | 'scim';
  /** Id of the person, key, client or token. */
  id: string;
  /** Set only for a person. */
  email: string | null;
}

/** The author behind a credential; null for apps and their customers. */
export function authorOf(principal: Principal): Author | null {
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
      return null;
  }
}
