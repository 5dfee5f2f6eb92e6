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
import { notLicensed, roleNames } from './labels.js';

const columns: Column<Organization>[] = [
  {
    id: 'name',
    header: 'Name',
    priority: 1,
    width: 'minmax(6rem, 2fr)',
    cell: ({ name }) => <DataText truncate>{name}</DataText>,
  },
  { id: 'role', header: 'Your role', width: '7rem', cell: ({ your_role: role }) => roleNames[role] },
  {
    id: 'members',
    header: 'Members',
    label: 'Members',
    width: '7rem',
    align: 'end',
    cell: ({ member_count: count }) => <Num value={count} />,
  },
  {
    id: 'projects',
    header: 'Projects',
    label: 'Projects',
    width: '7rem',
    align: 'end',
    cell: ({ project_count: count }) => <Num value={count} />,
  },
  { id: 'region', header: 'Region', priority: 3, cell: ({ region_name: name }) => name },
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
      New organization
    </Button>
  );
  return (
    <Page
      title="Organizations"
      note="An organization holds projects and people. Its owners and admins are admins of all of its projects."
      actions={
        <>
          <Link to="/organizations/licence">Licence</Link>
          {create}
        </>
      }
    >
      <Panel padded={false}>
        <QueryList
          label="Organizations"
          things="organizations"
          query={enterprise.error ? { ...organizations, error: enterprise.error } : organizations}
          queryKey={organizationList.queryKey}
          columns={columns}
          rowKey={({ id }) => id}
          rowHref={({ id }) => `/organizations/${id}/overview`}
          empty={{
            sentence:
              'Put projects and people under one roof: one sign-in, one list of members, one audit log.',
            action: create,
          }}
        />
      </Panel>
      {isCreating && <CreateOrganizationDialog onClose={() => setIsCreating(false)} />}
    </Page>
  );
}
