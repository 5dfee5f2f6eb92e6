import { Link, useLocation, useParams } from '@tanstack/react-router';
import { AppLink } from '../../ui/app-link.js';
import { navigation } from '../navigation/navigation.js';
import { useSetupReturn } from '../navigation/setup-return.js';

const organizationLists = [
  { path: '/projects', label: 'Projects' },
  { path: '/roles', label: 'Roles' },
  { path: '/sso', label: 'Single sign-on' },
];

/** Tabs come first, because their addresses may be below that of their entry. */
const projectLists = navigation
  .flatMap(({ entries }) => entries)
  .flatMap(({ tabs = [], ...entry }) => [...tabs, entry]);

/** Links from the page of an object to the list that contains it, and to the setup that led here. */
export function Breadcrumb() {
  const { projectId, orgId } = useParams({ strict: false });
  const { pathname } = useLocation();
  const setup = useSetupReturn();
  const base = projectId === undefined ? `/organizations/${orgId}` : `/projects/${projectId}`;
  const lists: { path: string; label: string; detail?: string }[] =
    projectId === undefined ? organizationLists : projectLists;
  const isList = lists.some(({ path }) => pathname === base + path);
  const list = lists.find(
    ({ path, detail }) =>
      !isList &&
      (pathname.startsWith(`${base + path}/`) || (detail !== undefined && pathname === base + detail)),
  );
  if (!list && setup === null) return null;
  return (
    <nav aria-label="Breadcrumb" className="-mb-3 flex flex-wrap gap-x-4 text-sm">
      {setup !== null && <AppLink href={setup}>Back to setup</AppLink>}
      {list && <Link to={(base + list.path) as '/'}>{list.label}</Link>}
    </nav>
  );
}
