import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { accountQuery } from '../api/account.queries.js';
import { useProject } from '../api/permissions.js';
import { DataText } from '../ui/data-text.js';
import { Icon } from '../ui/icons.js';
import { Menu } from '../ui/menu.js';

export function ProjectSwitcher() {
  const { data: account } = useQuery(accountQuery);
  const current = useProject();
  const navigate = useNavigate();
  const items = (account?.projects ?? []).map(({ id, name }) => ({
    label: <DataText>{name}</DataText>,
    checked: id === current?.id,
    onSelect: () => void navigate({ to: '/projects/$projectId', params: { projectId: id } }),
  }));
  return (
    <Menu
      align="start"
      trigger={(props) => (
        <button
          type="button"
          {...props}
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
        ...items,
        {
          label: 'New project',
          icon: 'plus',
          separator: true,
          onSelect: () => void navigate({ to: '/new' }),
        },
      ]}
    />
  );
}
