import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Organization } from '../api/enterprise.types.js';
import { enterpriseQuery, organizationList } from '../api/organizations.queries.js';
import { Page } from '../frame/pages/page.js';
import { NotFoundPage } from '../frame/pages/problem-page.js';
import { Button } from '../ui/button.js';
import type { Column } from '../ui/lists/data-list.js';
import { DataText } from '../ui/text/data-text.js';
import { Num } from '../ui/format/money.js';
import { Panel } from '../ui/panel.js';
import { QueryList } from '../ui/lists/query-list.js';
import { CreateOrganizationDialog } from './create-organization-dialog.js';
import { notLicensed, roleNames, text } from './organizations.text.js';

const columns: Column<Organization>[] = [
  {
    id: 'name',
    header: text.columns.name,
    priority: 1,
    width: 'minmax(6rem, 2fr)',
    cell: ({ name }) => <DataText truncate>{name}</DataText>,
  },
  { id: 'role', header: text.columns.role, width: '7rem', cell: ({ your_role: role }) => roleNames[role] },
  {
    id: 'members',
    header: text.columns.members,
    label: text.columns.members,
    width: '7rem',
    align: 'end',
    cell: ({ member_count: count }) => <Num value={count} />,
  },
  {
    id: 'projects',
    header: text.columns.projects,
    label: text.columns.projects,
    width: '7rem',
    align: 'end',
    cell: ({ project_count: count }) => <Num value={count} />,
  },
  { id: 'region', header: text.columns.region, priority: 3, cell: ({ region_name: name }) => name },
];

export default function OrganizationsPage() {
  const enterprise = useQuery(enterpriseQuery);
  const organizations = useInfiniteQuery({ ...organizationList, enabled: Boolean(enterprise.data) });
  const [isCreating, setIsCreating] = useState(false);
  if (enterprise.data === null) return <NotFoundPage />;
  const isLicensed = enterprise.data?.features.includes('organizations') ?? true;
  const create = (
    <Button
      variant="primary"
      icon="plus"
      disabledReason={isLicensed ? null : notLicensed('organizations')}
      onClick={() => setIsCreating(true)}
    >
      {text.create}
    </Button>
  );
  return (
    <Page
      title={text.title}
      note={text.note}
      actions={
        <>
          <Link to="/organizations/licence">{text.licence}</Link>
          {create}
        </>
      }
    >
      <Panel padded={false}>
        <QueryList
          label={text.title}
          things={text.things}
          query={enterprise.error ? { ...organizations, error: enterprise.error } : organizations}
          queryKey={organizationList.queryKey}
          columns={columns}
          rowKey={({ id }) => id}
          rowHref={({ id }) => `/organizations/${id}/overview`}
          empty={{ sentence: text.empty, action: create }}
        />
      </Panel>
      {isCreating && <CreateOrganizationDialog onClose={() => setIsCreating(false)} />}
    </Page>
  );
}
