import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { accountQuery } from '../../api/account.queries.js';
import { useProject } from '../../api/permissions.js';
import { DataText } from '../../ui/text/data-text.js';
import { Icon } from '../../ui/icons.js';
import { Menu, type MenuItem } from '../../ui/overlays/menu.js';

const OrganizationName = lazy(() => import('../pages/organization-name.js'));

/** Switches to another project, or to an organization. */
export function ProjectSwitcher() {
  const { orgId } = useParams({ strict: false });
  const { data: account } = useQuery(accountQuery);
  const current = useProject();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [organizations, setOrganizations] = useState<readonly MenuItem[]>([]);
  const askForOrganizations = () =>
    void import('./organization-items.js')
      .then(({ organizationItems }) => organizationItems(queries, orgId, (href) => void navigate({ href })))
      // Ignores errors, because the projects are still available.
      .then(setOrganizations, () => undefined);
  const projects = (account?.projects ?? []).map(({ id, name }) => ({
    label: <DataText>{name}</DataText>,
    checked: id === current?.id,
    onSelect: () => void navigate({ to: '/projects/$projectId', params: { projectId: id } }),
  }));
  const name = current ? <DataText>{current.name}</DataText> : 'Choose a project';
  return (
    <Menu
      align="start"
      trigger={({ onClick, ...props }) => (
        <button
          type="button"
          {...props}
          onClick={() => {
            askForOrganizations();
            onClick();
          }}
          className="flex h-8 max-w-48 min-w-0 items-center gap-1.5 rounded-md px-2 font-semibold hover:bg-hover"
        >
          <span className="truncate">
            {orgId === undefined ? (
              name
            ) : (
              <Suspense>
                <OrganizationName />
              </Suspense>
            )}
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
