import type { Principal } from '../../platform/principal/principal.js';
import type { RunTrigger } from './runs/export-run.model.js';

/** The caller who changed an export last; its runs have their permissions. */
export interface ExportEditor {
  kind: 'member' | 'api_key';
  id: string;
}

/** The caller of a route that changes exports. A client acts for the member who authorized it. */
export function editorOf(principal: Principal): ExportEditor {
  if (principal.kind === 'session' || principal.kind === 'oauth_token')
    return { kind: 'member', id: principal.userId };
  if (principal.kind === 'secret_key') return { kind: 'api_key', id: principal.keyId };
  throw new Error('the route is open to others than members and secret keys');
}

export function triggerOf(principal: Principal): RunTrigger {
  return principal.kind === 'session' ? 'manual' : 'api';
}
