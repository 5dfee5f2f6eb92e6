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
import { notLicensed } from '../organizations.text.js';
import { projectRoleNames } from '../project-roles.js';
import { MoveInDialog } from './move-in-dialog.js';
import { MoveOutDialog } from './move-out-dialog.js';
import { projectList } from './projects.queries.js';
import { text } from './projects.text.js';
import { RegionDialog } from './region-dialog.js';

const route = getRouteApi('/signed-in/organizations/$orgId/projects');

type Opened = { kind: 'in' } | { kind: 'out' | 'region'; project: OrganizationProject };

const columnsOf = (actions: Column<OrganizationProject>['cell']): Column<OrganizationProject>[] => [
  {
    id: 'name',
    header: text.columns.name,
    priority: 1,
    width: 'minmax(6rem, 2fr)',
    cell: ({ name }) => <DataText truncate>{name}</DataText>,
  },
  {
    id: 'members',
    header: text.columns.members,
    label: text.columns.members,
    width: '6rem',
    align: 'end',
    cell: ({ member_count: count }) => <Num value={count} />,
  },
  {
    id: 'role',
    header: text.columns.role,
    label: text.columns.role,
    width: '7rem',
    cell: ({ your_role: role }) =>
      role === null ? text.none : <DataText truncate>{projectRoleNames[role] ?? role}</DataText>,
  },
  { id: 'region', header: text.columns.region, width: '9rem', cell: ({ region_name: name }) => name },
  {
    id: 'added',
    header: text.columns.added,
    priority: 3,
    width: '7rem',
    cell: (project) => <Time ms={project.added_at} />,
  },
  {
    id: 'actions',
    header: <span className="sr-only">{text.columns.actions}</span>,
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
      label={text.actionsOf(project.name)}
      items={[
        ...(account?.projects.some(({ id }) => id === project.id)
          ? [
              {
                label: text.open,
                icon: 'arrow-right' as const,
                onSelect: () =>
                  void navigate({ to: '/projects/$projectId', params: { projectId: project.id } }),
              },
            ]
          : []),
        {
          label: text.region,
          icon: 'globe',
          disabledReason: hasRegions ? null : notLicensed('data_location'),
          onSelect: () => setOpened({ kind: 'region', project }),
        },
        {
          label: text.moveOut,
          icon: 'log-out',
          danger: true,
          onSelect: () => setOpened({ kind: 'out', project }),
        },
      ]}
    />
  );
  const moveIn = (
    <Button variant="primary" icon="plus" onClick={() => setOpened({ kind: 'in' })}>
      {text.moveIn}
    </Button>
  );
  return (
    <Page title={text.title} note={text.note} actions={moveIn}>
      <Panel padded={false}>
        <QueryList
          label={text.title}
          things={text.things}
          query={projects}
          queryKey={list.queryKey}
          columns={columnsOf(actions)}
          rowKey={({ id }) => id}
          rowHref={({ id }) => `/organizations/${orgId}/projects/${id}`}
          empty={{ sentence: text.empty, action: moveIn }}
        />
      </Panel>
      {opened?.kind === 'in' && <MoveInDialog orgId={orgId} onClose={close} />}
      {opened?.kind === 'out' && <MoveOutDialog orgId={orgId} project={opened.project} onClose={close} />}
      {opened?.kind === 'region' && <RegionDialog orgId={orgId} project={opened.project} onClose={close} />}
    </Page>
  );
}
