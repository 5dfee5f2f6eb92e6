import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { accountQuery } from '../api/account.queries.js';
import { useProject } from '../api/permissions.js';
import { DataText } from '../ui/data-text.js';
import { Icon } from '../ui/icons.js';
import { Menu, type MenuItem } from '../ui/menu.js';

const OrganizationName = lazy(() => import('./organization-name.js'));

/** The organizations of the person, asked for when the menu opens. */
function useOrganizationItems(): [items: MenuItem[], ask: () => void] {
  const { orgId } = useParams({ strict: false });
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [choices, setChoices] = useState<readonly { id: string; name: string }[] | null>(null);
  const ask = () =>
    void import('./organization-choices.js')
      .then(({ organizationChoices }) => organizationChoices(queries))
      // The projects are there all the same.
      .then(setChoices, () => undefined);
  if (!choices) return [[], ask];
  const items = choices.map(({ id, name }, index) => ({
    label: <DataText>{name}</DataText>,
    separator: index === 0,
    checked: id === orgId,
    onSelect: () => void navigate({ to: '/organizations/$orgId/overview', params: { orgId: id } }),
  }));
  const all: MenuItem = {
    label: 'Organizations',
    icon: 'organization',
    separator: true,
    onSelect: () => void navigate({ to: '/organizations' }),
  };
  return [[...items, all], ask];
}

/** Leads to another project, or to an organization. */
export function ProjectSwitcher() {
  const { orgId } = useParams({ strict: false });
  const { data: account } = useQuery(accountQuery);
  const current = useProject();
  const navigate = useNavigate();
  const [organizations, askForOrganizations] = useOrganizationItems();
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
