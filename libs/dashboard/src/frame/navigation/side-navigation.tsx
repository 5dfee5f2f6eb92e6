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
  /** Whether groups show their pages while another group is current. */
  isWhole?: boolean;
};

/** Links to groups, and to the pages of the current one. Collapsed, the groups are icons. */
export function NavigationGroups({ base, groups, isWhole, isCollapsed, onFollow }: NavigationGroupsProps) {
  const { pathname } = useLocation();
  const isBelow = (path: string) => pathname === base + path || pathname.startsWith(`${base + path}/`);
  const isCurrent = ({ path, detail, tabs = [] }: PageGroup['entries'][number]) =>
    isBelow(path) || (detail !== undefined && isBelow(detail)) || tabs.some((tab) => isBelow(tab.path));
  const row =
    'flex min-h-8 items-center rounded-md text-fg pointer-coarse:min-h-11 no-underline hover:bg-hover hover:no-underline';
  const current = 'aria-[current]:font-medium';
  const chosen = 'aria-[current=page]:bg-chosen';
  return (
    <ul className={`flex flex-col gap-px ${isCollapsed ? 'p-2' : 'p-3'}`}>
      {groups.map(({ label, icon, isApart, entries }) => {
        const isOpen = entries.some(isCurrent);
        const hasPages = entries.length > 1 && !isCollapsed;
        return (
          <li key={label} className={isApart ? 'mt-2 border-t border-line pt-2' : undefined}>
            <Link
              to={(base + entries[0]!.path) as '/'}
              onClick={onFollow}
              aria-label={isCollapsed ? label : undefined}
              data-tip={isCollapsed ? label : undefined}
              aria-current={isOpen ? (hasPages ? 'true' : 'page') : undefined}
              className={`${row} ${current} ${hasPages ? '' : chosen} ${isCollapsed ? 'size-9 justify-center text-muted' : 'gap-2.5 px-2'}`}
            >
              <span className={isCollapsed ? undefined : 'text-muted'}>
                <Icon name={icon} />
              </span>
              {!isCollapsed && label}
            </Link>
            {hasPages && (isOpen || isWhole) && (
              <ul className="mb-1 flex flex-col gap-px">
                {entries.map((entry) => (
                  <li key={entry.path}>
                    <Link
                      to={(base + entry.path) as '/'}
                      onClick={onFollow}
                      aria-current={isCurrent(entry) ? 'page' : undefined}
                      className={`${row} ${current} ${chosen} ps-9 pe-2`}
                    >
                      {entry.label}
                    </Link>
                  </li>
                ))}
              </ul>
            )}
          </li>
        );
      })}
    </ul>
  );
}
