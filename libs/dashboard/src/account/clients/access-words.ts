import type { ConnectedClient } from '../account.queries.js';
import { text } from '../account.text.js';

/** What a client may do, in the words of the consent page. */
export function accessWords({ scopes }: Pick<ConnectedClient, 'scopes'>): string {
  const access = scopes.includes('project:write') ? text.mayWrite : text.mayRead;
  return scopes.includes('project:money') ? text.andMoney(access) : access;
}
