import { Link, useLocation } from '@tanstack/react-router';
import { allowanceIn, useProject } from '../../api/permissions.js';
import { Icon } from '../../ui/icons.js';
import { navigation, type NavigationGroup, type PageGroup } from './navigation.js';

function useReadable(): NavigationGroup[] {
  const project = useProject();
  return navigation
    .map((group) => ({
      ...group,
      entries: group.entries.filter(({ operation }) => allowanceIn(project, operation).allowed),
    }))
    .filter(({ entries }) => entries.length > 0);
}

interface NavigationLook {
  isCollapsed: boolean;
  onFollow?: () => void;
}

/** The pages of a project that the person may read. */
export function SideNavigation({ projectId, ...look }: NavigationLook & { projectId: string }) {
  return <NavigationGroups base={`/projects/${projectId}`} groups={useReadable()} {...look} />;
}

type NavigationGroupsProps = NavigationLook & {
  /** Prefix of the addresses. */
  base: string;
  groups: readonly PageGroup[];
};

/** Links to pages, by group. Collapsed, it shows the groups' icons, which link to their first page. */
export function NavigationGroups({ base, groups, isCollapsed, onFollow }: NavigationGroupsProps) {
  const { pathname } = useLocation();
  const isCurrent = (path: string) => pathname === base + path || pathname.startsWith(`${base + path}/`);
  const link = (path: string) => ({
    to: (base + path) as '/',
    onClick: onFollow,
    'aria-current': isCurrent(path) ? ('page' as const) : undefined,
  });
  const row =
    'flex min-h-7 items-center rounded-md text-fg pointer-coarse:min-h-11 no-underline hover:bg-hover hover:no-underline';
  const current = 'aria-[current=page]:bg-chosen aria-[current=page]:font-medium';
  if (isCollapsed) {
    return (
      <ul className="flex flex-col gap-1 p-2">
        {groups.map(({ label, icon, entries }) => (
          <li key={label}>
            <Link
              {...link(entries[0]!.path)}
              aria-label={label}
              data-tip={label}
              aria-current={entries.some(({ path }) => isCurrent(path)) ? 'page' : undefined}
              className={`${row} ${current} size-9 justify-center text-muted`}
            >
              <Icon name={icon} />
            </Link>
          </li>
        ))}
      </ul>
    );
  }
  return (
    <div className="flex flex-col gap-3 p-3">
      {groups.map(({ label, icon, entries }) => (
        <section key={label} aria-label={label}>
          <h2 className="mb-1 flex items-center gap-2 px-2 text-xs font-semibold tracking-wide text-muted uppercase">
            <Icon name={icon} />
            {label}
          </h2>
          <ul className="flex flex-col gap-px">
            {entries.map(({ path, label: name }) => (
              <li key={path}>
                <Link {...link(path)} className={`${row} ${current} ps-8 pe-2`}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
