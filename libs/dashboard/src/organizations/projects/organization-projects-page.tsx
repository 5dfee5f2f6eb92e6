import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { accountQuery } from '../../api/account.queries.js';
import type { OrganizationProject } from '../../api/enterprise.types.js';
import { useOrganization } from '../../api/organization.js';
import { Page } from '../../frame/pages/page.js';
import { Button } from '../../ui/button.js';
import type { Column } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { Menu } from '../../ui/overlays/menu.js';
import { Num } from '../../ui/format/money.js';
import { Panel } from '../../ui/panel.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { Time } from '../../ui/format/time.js';
import { projectRoleNames } from '../project-roles.js';
import { MoveInDialog } from './move-in-dialog.js';
import { MoveOutDialog } from './move-out-dialog.js';
import { projectList } from './projects.queries.js';
import { RegionDialog } from './region-dialog.js';
import { notLicensed } from '../labels.js';

const route = getRouteApi('/signed-in/organizations/$orgId/projects');

type Opened = { kind: 'in' } | { kind: 'out' | 'region'; project: OrganizationProject };

const columnsOf = (actions: Column<OrganizationProject>['cell']): Column<OrganizationProject>[] => [
  {
    id: 'name',
    header: 'Project',
    priority: 1,
    width: 'minmax(6rem, 2fr)',
    cell: ({ name }) => <DataText truncate>{name}</DataText>,
  },
  {
    id: 'members',
    header: 'Members',
    label: 'Members',
    width: '6rem',
    align: 'end',
    cell: ({ member_count: count }) => <Num value={count} />,
  },
  {
    id: 'role',
    header: 'Your role',
    label: 'Your role',
    width: '7rem',
    cell: ({ your_role: role }) =>
      role === null ? 'None' : <DataText truncate>{projectRoleNames[role] ?? role}</DataText>,
  },
  { id: 'region', header: 'Region', width: '9rem', cell: ({ region_name: name }) => name },
  {
    id: 'added',
    header: 'Moved in',
    priority: 3,
    width: '7rem',
    cell: (project) => <Time ms={project.added_at} />,
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

export default function OrganizationProjectsPage() {
  const { orgId } = route.useParams();
  const list = projectList(orgId);
  const projects = useInfiniteQuery(list);
  const organization = useOrganization();
  const navigate = route.useNavigate();
  const { data: account } = useQuery(accountQuery);
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  const hasRegions = organization?.features.includes('data_location') ?? true;
  const actions = (project: OrganizationProject) => (
    <Menu
      iconOnly
      size="sm"
      variant="ghost"
      label={`Actions for ${project.name}`}
      items={[
        ...(account?.projects.some(({ id }) => id === project.id)
          ? [
              {
                label: 'Open the project',
                icon: 'arrow-right' as const,
                onSelect: () =>
                  void navigate({ to: '/projects/$projectId', params: { projectId: project.id } }),
              },
            ]
          : []),
        {
          label: 'Change region',
          icon: 'globe',
          disabledReason: hasRegions ? null : notLicensed('data_location'),
          onSelect: () => setOpened({ kind: 'region', project }),
        },
        {
          label: 'Move out',
          icon: 'log-out',
          danger: true,
          onSelect: () => setOpened({ kind: 'out', project }),
        },
      ]}
    />
  );
  const moveIn = (
    <Button variant="primary" icon="plus" onClick={() => setOpened({ kind: 'in' })}>
      Move a project in
    </Button>
  );
  return (
    <Page
      title="Projects"
      note="Projects of this organization. Its owners and admins are admins of each."
      actions={moveIn}
    >
      <Panel padded={false}>
        <QueryList
          label="Projects"
          things="projects"
          query={projects}
          queryKey={list.queryKey}
          columns={columnsOf(actions)}
          rowKey={({ id }) => id}
          rowHref={({ id }) => `/organizations/${orgId}/projects/${id}`}
          empty={{
            sentence: 'Move a project in, and everyone on it becomes a member of the organization.',
            action: moveIn,
          }}
        />
      </Panel>
      {opened?.kind === 'in' && <MoveInDialog orgId={orgId} onClose={close} />}
      {opened?.kind === 'out' && <MoveOutDialog orgId={orgId} project={opened.project} onClose={close} />}
      {opened?.kind === 'region' && <RegionDialog orgId={orgId} project={opened.project} onClose={close} />}
    </Page>
  );
}
