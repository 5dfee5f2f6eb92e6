import type { ConnectedClient } from '../account.queries.js';

/** Describes a client's access, with the texts of the consent page. */
export function accessWords({ scopes }: Pick<ConnectedClient, 'scopes'>): string {
  const access = scopes.includes('project:write') ? 'Read and change' : 'Read';
  return scopes.includes('project:money') ? `${access}, with money` : access;
}
