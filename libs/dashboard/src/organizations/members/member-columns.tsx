import type { ReactNode } from 'react';
import type { OrganizationMember } from '../../api/enterprise.types.js';
import { Badge } from '../../ui/badge.js';
import type { Column } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { Time } from '../../ui/format/time.js';
import { roleNames } from '../labels.js';

const sourceLabels = {
  manual: 'Added manually',
  sso: 'Single sign-on',
  scim: 'Provisioning',
  project: 'A project',
} satisfies Record<OrganizationMember['source'], string>;

interface Context {
  ownId: string | undefined;
  actions: (member: OrganizationMember) => ReactNode;
}

export const columnsOf = ({ ownId, actions }: Context): Column<OrganizationMember>[] => [
  {
    id: 'person',
    header: 'Person',
    width: 'minmax(0, 1.5fr)',
    cell: (member) => (
      <span className="flex min-w-0 flex-col py-1">
        <span className="flex min-w-0 items-center gap-2 font-medium">
          <DataText truncate>{member.name ?? member.email}</DataText>
          {member.user_id === ownId && <Badge tone="accent">You</Badge>}
          {!member.active && <Badge tone="warn">Deactivated</Badge>}
        </span>
        {member.name !== null && (
          <span className="text-sm text-muted">
            <DataText truncate>{member.email}</DataText>
          </span>
        )}
      </span>
    ),
  },
  { id: 'role', header: 'Role', width: '5rem', cell: ({ role }) => roleNames[role] },
  {
    id: 'source',
    header: 'Joined by',
    width: '8rem',
    cell: ({ source }) => sourceLabels[source],
  },
  {
    id: 'sso',
    header: 'Last single sign-on',
    label: 'Last single sign-on',
    width: '9rem',
    cell: ({ last_sso_at: at, password_sign_in: hasPassword }) => (
      <span className="flex flex-wrap items-center gap-x-2">
        <Time ms={at} none="Never" />
        {!hasPassword && <span className="text-sm text-muted">No password</span>}
      </span>
    ),
  },
  {
    id: 'groups',
    header: 'Groups',
    priority: 3,
    cell: ({ sso_groups: groups }) =>
      groups.length === 0 ? (
        <span className="text-muted">—</span>
      ) : (
        <span title={groups.join('\n')}>
          <DataText truncate>{groups.join(', ')}</DataText>
        </span>
      ),
  },
  {
    id: 'since',
    header: 'Since',
    priority: 3,
    width: '6.5rem',
    cell: (member) => <Time ms={member.created_at} />,
  },
  {
    id: 'actions',
    header: <span className="sr-only">Actions</span>,
    width: '2.5rem',
    align: 'end',
    priority: 1,
    cell: actions,
  },
];
