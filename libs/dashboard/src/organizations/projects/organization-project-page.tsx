import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { OrganizationProjectMember } from '../../api/enterprise.types.js';
import { Page } from '../../frame/pages/page.js';
import { IconButton } from '../../ui/button.js';
import type { Column } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { Panel } from '../../ui/panel.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { AssignRoleDialog } from './assign-role-dialog.js';
import { projectMemberList, projectsQuery } from './projects.queries.js';
import { sourceLabels } from './labels.js';

const route = getRouteApi('/signed-in/organizations/$orgId/projects/$orgProjectId');

const columnsOf = (
  onChange: (member: OrganizationProjectMember) => void,
): Column<OrganizationProjectMember>[] => [
  {
    id: 'person',
    header: 'Person',
    width: 'minmax(0, 1.5fr)',
    cell: ({ name, email }) => (
      <span className="flex min-w-0 flex-col py-1">
        <span className="font-medium">
          <DataText truncate>{name ?? email}</DataText>
        </span>
        {name !== null && (
          <span className="text-sm text-muted">
            <DataText truncate>{email}</DataText>
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'role',
    header: 'Role',
    width: 'minmax(6rem, 1fr)',
    cell: ({ role_name: name }) => <DataText truncate>{name}</DataText>,
  },
  {
    id: 'source',
    header: 'Comes from',
    width: '14rem',
    cell: ({ source }) => sourceLabels[source],
  },
  {
    id: 'actions',
    header: <span className="sr-only">Actions</span>,
    width: '2.5rem',
    align: 'end',
    priority: 1,
    cell: (member) => (
      <IconButton
        size="sm"
        icon="edit"
        label={`Change the role of ${member.name ?? member.email}`}
        disabledReason={
          member.source === 'org'
            ? 'This person is an admin by the role in the organization. Change it there.'
            : null
        }
        onClick={() => onChange(member)}
      />
    ),
  },
];

/** People and roles in a project of the organization, with the source of each role. */
export default function OrganizationProjectPage() {
  const { orgId, orgProjectId } = route.useParams();
  const list = projectMemberList(orgId, orgProjectId);
  const members = useInfiniteQuery(list);
  const { data: projects } = useQuery(projectsQuery(orgId));
  const [changing, setChanging] = useState<OrganizationProjectMember | null>(null);
  const name = projects?.find(({ id }) => id === orgProjectId)?.name;
  return (
    <Page title={name ?? 'Project'} id={orgProjectId}>
      <Panel title="People and their roles" padded={false}>
        <QueryList
          label="People and their roles"
          things="people"
          query={members}
          queryKey={list.queryKey}
          columns={columnsOf(setChanging)}
          rowKey={({ user_id: id }) => id}
          empty={{ sentence: 'This project has no members.' }}
        />
      </Panel>
      {changing && (
        <AssignRoleDialog
          orgId={orgId}
          projectId={orgProjectId}
          member={changing}
          onClose={() => setChanging(null)}
        />
      )}
    </Page>
  );
}
