import { useParams } from '@tanstack/react-router';
import type { Feature, Organization, OrganizationRole } from '../../api/enterprise.types.js';
import { hasRole, useOrganization } from '../../api/organization.js';
import type { PageGroup } from './navigation.js';
import { NavigationGroups } from './side-navigation.js';

interface Entry {
  path: string;
  label: string;
  role?: OrganizationRole;
  feature?: Feature;
}

const admin = 'admin';
const groups: PageGroup<Entry>[] = [
  { label: 'Overview', icon: 'overview', entries: [{ path: '/overview', label: 'Overview' }] },
  {
    label: 'Access',
    icon: 'users',
    entries: [
      { path: '/members', label: 'Members', role: admin },
      { path: '/projects', label: 'Projects', role: admin },
      { path: '/roles', label: 'Roles', role: admin, feature: 'custom_roles' },
      { path: '/mappings', label: 'Group mappings', role: admin, feature: 'custom_roles' },
    ],
  },
  {
    label: 'Sign-in',
    icon: 'key',
    entries: [
      { path: '/sso', label: 'Single sign-on', role: admin, feature: 'sso' },
      { path: '/scim', label: 'Provisioning', role: admin, feature: 'scim' },
    ],
  },
  {
    label: 'Audit',
    icon: 'audit',
    entries: [
      { path: '/audit', label: 'Audit log', role: admin },
      { path: '/exports', label: 'Exports', role: admin, feature: 'compliance_exports' },
    ],
  },
  {
    label: 'Settings',
    icon: 'settings',
    isApart: true,
    entries: [{ path: '/settings', label: 'Settings', role: admin }],
  },
];

const mayOpen = ({ your_role: own, features }: Organization, { role = 'member', feature }: Entry) =>
  hasRole(own, role) && (feature === undefined || features.includes(feature));

/** The pages of an organization that the person may open. */
export default function OrganizationNavigation(look: { isCollapsed: boolean; onFollow: () => void }) {
  const { orgId = '' } = useParams({ strict: false });
  const organization = useOrganization();
  const shown = groups
    .map((group) => ({
      ...group,
      entries: group.entries.filter((entry) => organization && mayOpen(organization, entry)),
    }))
    .filter(({ entries }) => entries.length > 0);
  return <NavigationGroups base={`/organizations/${orgId}`} groups={shown} isWhole {...look} />;
}
