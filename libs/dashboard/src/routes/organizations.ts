import { createRoute } from '@tanstack/react-router';
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
/** `staticData.organization` of a page below is who may see it, and the feature that it belongs to. */
const organization = createRoute({
  getParentRoute: () => signedIn,
  path: '/organizations/$orgId',
  component: page(() => import('../frame/organization-page.js')),
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
const settings = createRoute({
  getParentRoute: () => organization,
  path: '/settings',
  staticData: { organization: { role: 'admin' } },
  component: page(() => import('../organizations/settings/organization-settings-page.js')),
});

export const organizationsRoutes = [
  list,
  licence,
  organization.addChildren([overview, members, projects, projectMembers, settings]),
] as const;
