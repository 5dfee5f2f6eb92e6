import type { ConnectedClient } from '../account.queries.js';
import { text } from '../account.text.js';

/** Describes a client's access, with the texts of the consent page. */
export function accessWords({ scopes }: Pick<ConnectedClient, 'scopes'>): string {
  const access = scopes.includes('project:write') ? text.mayWrite : text.mayRead;
  return scopes.includes('project:money') ? text.andMoney(access) : access;
}
