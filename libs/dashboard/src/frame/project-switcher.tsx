import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { accountQuery } from '../api/account.queries.js';
import { useOrganization } from '../api/organization.js';
import { enterpriseQuery, organizationList } from '../api/organizations.queries.js';
import { itemsOf } from '../api/paging.js';
import { useProject } from '../api/permissions.js';
import { DataText } from '../ui/data-text.js';
import { Icon } from '../ui/icons.js';
import { Menu, type MenuItem } from '../ui/menu.js';

/** The organizations of the person; none on a server without the enterprise edition. Not asked for before `isWanted`. */
function useOrganizationItems(isWanted: boolean): MenuItem[] {
  const { orgId } = useParams({ strict: false });
  const navigate = useNavigate();
  const { data: enterprise } = useQuery({ ...enterpriseQuery, enabled: isWanted });
  const isThere = isWanted && Boolean(enterprise);
  const { data } = useInfiniteQuery({ ...organizationList, enabled: isThere });
  if (!isThere) return [];
  return [
    ...itemsOf(data).map(({ id, name }, index) => ({
      label: <DataText>{name}</DataText>,
      separator: index === 0,
      checked: id === orgId,
      onSelect: () => void navigate({ to: '/organizations/$orgId/overview', params: { orgId: id } }),
    })),
    {
      label: 'Organizations',
      icon: 'organization',
      separator: true,
      onSelect: () => void navigate({ to: '/organizations' }),
    },
  ];
}

/** Leads to another project, or to an organization. */
export function ProjectSwitcher() {
  const { data: account } = useQuery(accountQuery);
  const project = useProject();
  const current = useOrganization() ?? project;
  const navigate = useNavigate();
  const [isOpened, setIsOpened] = useState(false);
  const organizations = useOrganizationItems(isOpened);
  const projects = (account?.projects ?? []).map(({ id, name }) => ({
    label: <DataText>{name}</DataText>,
    checked: id === project?.id,
    onSelect: () => void navigate({ to: '/projects/$projectId', params: { projectId: id } }),
  }));
  return (
    <Menu
      align="start"
      trigger={({ onClick, ...props }) => (
        <button
          type="button"
          {...props}
          onClick={() => {
            setIsOpened(true);
            onClick();
          }}
          className="flex h-8 max-w-48 min-w-0 items-center gap-1.5 rounded-md px-2 font-semibold hover:bg-hover"
        >
          <span className="truncate">
            {current ? <DataText>{current.name}</DataText> : 'Choose a project'}
          </span>
          <span className="sr-only">, switch project</span>
          <Icon name="chevron-down" className="shrink-0 text-muted" />
        </button>
      )}
      items={[
        ...projects,
        {
          label: 'New project',
          icon: 'plus',
          separator: true,
          onSelect: () => void navigate({ to: '/new' }),
        },
        ...organizations,
      ]}
    />
  );
}
