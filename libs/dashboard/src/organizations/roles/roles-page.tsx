import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { CustomRole, OrganizationProject } from '../../api/enterprise.types.js';
import { Page } from '../../frame/pages/page.js';
import { Button } from '../../ui/button.js';
import type { Column } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { Num } from '../../ui/format/money.js';
import { Panel } from '../../ui/panel.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { Time } from '../../ui/format/time.js';
import { projectsQuery } from '../projects/projects.queries.js';
import { CreateRoleDialog } from './create-role-dialog.js';
import { roleList } from './roles.queries.js';

const route = getRouteApi('/signed-in/organizations/$orgId/roles');

const columnsOf = (projects: readonly OrganizationProject[] | undefined): Column<CustomRole>[] => [
  {
    id: 'name',
    header: 'Name',
    priority: 1,
    width: 'minmax(6rem, 1.5fr)',
    cell: ({ name }) => <DataText truncate>{name}</DataText>,
  },
  {
    id: 'permissions',
    header: 'Permissions',
    width: '8rem',
    cell: ({ scopes }) => (
      <span title={scopes.join('\n')}>
        {scopes.length === 1 ? '1 permission' : `${scopes.length} permissions`}
      </span>
    ),
  },
  {
    id: 'project',
    header: 'Holds in',
    cell: ({ project_id: projectId }) =>
      projectId === null ? (
        'Every project'
      ) : (
        <DataText truncate>{projects?.find(({ id }) => id === projectId)?.name ?? 'One project'}</DataText>
      ),
  },
  {
    id: 'people',
    header: 'People',
    label: 'People',
    width: '5rem',
    align: 'end',
    cell: ({ member_count: count }) => <Num value={count} />,
  },
  {
    id: 'changed',
    header: 'Changed',
    priority: 3,
    width: '7rem',
    cell: (role) => <Time ms={role.updated_at} />,
  },
];

export default function RolesPage() {
  const { orgId } = route.useParams();
  const list = roleList(orgId);
  const roles = useInfiniteQuery(list);
  const { data: projects } = useQuery(projectsQuery(orgId));
  const [isCreating, setIsCreating] = useState(false);
  const create = (
    <Button variant="primary" icon="plus" onClick={() => setIsCreating(true)}>
      New role
    </Button>
  );
  return (
    <Page
      title="Roles"
      note="Roles with permissions of your choice, beside Admin, Developer and Viewer. Assign them to members of projects."
      actions={create}
    >
      <Panel padded={false}>
        <QueryList
          label="Roles"
          things="roles"
          query={roles}
          queryKey={list.queryKey}
          columns={columnsOf(projects)}
          rowKey={({ id }) => id}
          rowHref={({ id }) => `/organizations/${orgId}/roles/${id}`}
          empty={{
            sentence: 'A role gives people only the permissions that they need.',
            action: create,
          }}
        />
      </Panel>
      {isCreating && <CreateRoleDialog orgId={orgId} onClose={() => setIsCreating(false)} />}
    </Page>
  );
}
