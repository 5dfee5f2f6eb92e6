import { createRoute } from '@tanstack/react-router';
import { day, oneOf, search, text } from '../frame/search.js';
import { page, signedIn } from './parents.js';

const list = createRoute({
  getParentRoute: () => signedIn,
  path: '/organizations',
  component: page(() => import('../organizations/organizations-page.js')),
});
const licence = createRoute({
  getParentRoute: () => signedIn,
  path: '/organizations/licence',
  component: page(() => import('../organizations/licence-page.js')),
});
/** Child pages set the required role and feature in `staticData.organization`. */
const organization = createRoute({
  getParentRoute: () => signedIn,
  path: '/organizations/$orgId',
  component: page(() => import('../frame/pages/organization-page.js')),
});
const overview = createRoute({
  getParentRoute: () => organization,
  path: '/overview',
  component: page(() => import('../organizations/overview/organization-overview-page.js')),
});
const members = createRoute({
  getParentRoute: () => organization,
  path: '/members',
  staticData: { organization: { role: 'admin' } },
  component: page(() => import('../organizations/members/organization-members-page.js')),
});
const projects = createRoute({
  getParentRoute: () => organization,
  path: '/projects',
  staticData: { organization: { role: 'admin' } },
  component: page(() => import('../organizations/projects/organization-projects-page.js')),
});
const projectMembers = createRoute({
  getParentRoute: () => organization,
  path: '/projects/$orgProjectId',
  staticData: { organization: { role: 'admin' } },
  component: page(() => import('../organizations/projects/organization-project-page.js')),
});
const roles = createRoute({
  getParentRoute: () => organization,
  path: '/roles',
  staticData: { organization: { role: 'admin', feature: 'custom_roles' } },
  component: page(() => import('../organizations/roles/roles-page.js')),
});
const role = createRoute({
  getParentRoute: () => organization,
  path: '/roles/$roleId',
  staticData: { organization: { role: 'admin', feature: 'custom_roles' } },
  component: page(() => import('../organizations/roles/role-page.js')),
});
const mappings = createRoute({
  getParentRoute: () => organization,
  path: '/mappings',
  staticData: { organization: { role: 'admin', feature: 'custom_roles' } },
  component: page(() => import('../organizations/mappings/mappings-page.js')),
});
const sso = createRoute({
  getParentRoute: () => organization,
  path: '/sso',
  staticData: { organization: { role: 'admin', feature: 'sso' } },
  component: page(() => import('../organizations/sso/sso-page.js')),
});
const connection = createRoute({
  getParentRoute: () => organization,
  path: '/sso/$connectionId',
  staticData: { organization: { role: 'admin', feature: 'sso' } },
  component: page(() => import('../organizations/sso/connection-page.js')),
});
const scim = createRoute({
  getParentRoute: () => organization,
  path: '/scim',
  staticData: { organization: { role: 'admin', feature: 'scim' } },
  validateSearch: search({ tab: oneOf('entra') }),
  component: page(() => import('../organizations/scim/scim-page.js')),
});
const audit = createRoute({
  getParentRoute: () => organization,
  path: '/audit',
  staticData: { organization: { role: 'admin' } },
  validateSearch: search({ from: day(), to: day(), action: text(), actor: text(), entry: text() }),
  component: page(() => import('../organizations/audit/organization-audit-page.js')),
});
const exports = createRoute({
  getParentRoute: () => organization,
  path: '/exports',
  staticData: { organization: { role: 'admin', feature: 'compliance_exports' } },
  component: page(() => import('../organizations/exports/exports-page.js')),
});
const settings = createRoute({
  getParentRoute: () => organization,
  path: '/settings',
  staticData: { organization: { role: 'admin' } },
  component: page(() => import('../organizations/settings/organization-settings-page.js')),
});

export const organizationsRoutes = [
  list,
  licence,
  organization.addChildren([
    overview,
    members,
    projects,
    projectMembers,
    roles,
    role,
    mappings,
    sso,
    connection,
    scim,
    audit,
    exports,
    settings,
  ]),
] as const;
