import { Link, useLocation, useParams } from '@tanstack/react-router';
import { navigation } from '../navigation/navigation.js';

const organizationLists = [
  { path: '/projects', label: 'Projects' },
  { path: '/roles', label: 'Roles' },
  { path: '/sso', label: 'Single sign-on' },
];

const projectLists = navigation.flatMap(({ entries }) => entries);

/** A link from the page of an object to the list that contains it. */
export function Breadcrumb() {
  const { projectId, orgId } = useParams({ strict: false });
  const { pathname } = useLocation();
  const base = projectId === undefined ? `/organizations/${orgId}` : `/projects/${projectId}`;
  const lists: { path: string; label: string; detail?: string }[] =
    projectId === undefined ? organizationLists : projectLists;
  const list = lists.find(
    ({ path, detail }) =>
      pathname.startsWith(`${base + path}/`) || (detail !== undefined && pathname === base + detail),
  );
  if (!list) return null;
  return (
    <nav aria-label="Breadcrumb" className="-mb-3 text-sm">
      <Link to={(base + list.path) as '/'}>{list.label}</Link>
    </nav>
  );
}
