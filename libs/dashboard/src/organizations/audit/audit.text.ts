import type { OrganizationAuditEntry } from '../../api/enterprise.types.js';

export const text = {
  title: 'Audit log',
  note: 'Every change of this organization, and every sign-in through it. Days are UTC days.',
  things: 'entries',
  empty: 'Changes of this organization appear here.',
  from: 'From',
  to: 'To',
  action: 'Action',
  anyAction: 'Any action',
  actor: 'Person or object',
  actorHint: 'Among the loaded entries',
  clear: 'Clear filters',
  csv: 'Save as CSV',
  columns: { action: 'Action', target: 'Object', actor: 'By', time: 'Time' },
  actors: {
    user: 'Person',
    scim: 'Provisioning',
    sso: 'Single sign-on',
    system: 'Server',
  } satisfies Record<OrganizationAuditEntry['actor']['type'], string>,
  entry: 'Entry',
  occurred: 'Occurred',
  detail: 'Detail',
  id: 'Id',
} as const;
