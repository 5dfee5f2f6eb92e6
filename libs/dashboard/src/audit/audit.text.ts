import type { AuditEntry } from './audit.queries.js';

export const text = {
  title: 'Audit log',
  note: 'Every change of this project: who made it, when, and to what. Days are UTC days.',
  things: 'changes',
  empty: 'Changes of this project appear here as people, keys and the server make them.',
  filters: 'Filters',
  from: 'From',
  to: 'To',
  action: 'Action',
  anyAction: 'Any action',
  actor: 'Actor',
  actorHint: 'E-mail address or id of a key',
  target: 'Object or customer id',
  clear: 'Clear filters',
  csv: 'Save as CSV',
  columns: { time: 'Time', action: 'Action', target: 'Object', actor: 'By' },
  actors: {
    user: 'Person',
    system: 'Server',
    api_key: 'API key',
    oauth_client: 'Connected client',
    scim: 'Provisioning',
  } satisfies Record<AuditEntry['actor_type'], string>,
  detail: 'Detail',
  id: 'Entry',
  occurred: 'Occurred',
};
