import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import type { Feature, OrganizationRole } from '../api/enterprise.types.js';
import { readPreferences } from '../frame/preferences.js';
import { ErrorPage, NotFoundPage } from '../frame/pages/problem-page.js';
import { parseSearch, stringifySearch } from '../frame/search.js';
import { accountRoutes, personRoutes } from './account.js';
import { catalogRoutes } from './catalog.js';
import { connectRoutes } from './connect.js';
import { customersRoutes } from './customers.js';
import { organizationsRoutes } from './organizations.js';
import { project, root, signedIn } from './parents.js';
import { settingsRoutes } from './settings.js';

/** Redirects to the last used project, else the first. */
const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: ({ context: { account } }) => {
    const { lastProject } = readPreferences();
    const { projects } = account;
    const project = projects.find(({ id }) => id === lastProject) ?? projects[0];
    if (!project) throw redirect({ to: '/no-access' });
    throw redirect({ to: '/projects/$projectId', params: { projectId: project.id } });
  },
});

const projectHome = createRoute({
  getParentRoute: () => project,
  path: '/',
  // `ProjectPage` redirects people who prefer the board, or may not read the overview.
  beforeLoad: ({ context: { account }, params: { projectId } }) => {
    const project = account.projects.find(({ id }) => id === projectId);
    const { startPage } = readPreferences();
    if (startPage === 'overview' && project?.permissions.includes('charts_metrics:overview:read'))
      throw redirect({ to: '/projects/$projectId/overview', params: { projectId } });
  },
});

const routeTree = root.addChildren([
  ...accountRoutes,
  signedIn.addChildren([
    home,
    ...personRoutes,
    ...organizationsRoutes,
    project.addChildren([
      projectHome,
      ...customersRoutes,
      ...catalogRoutes,
      ...connectRoutes,
      ...settingsRoutes,
    ]),
  ]),
]);

export function createAppRouter(queries: QueryClient) {
  return createRouter({
    routeTree,
    context: { queries },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    // The query cache decides whether data is fresh.
    defaultPreloadStaleTime: 0,
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: ErrorPage,
    scrollRestoration: false,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }

  interface StaticDataRouteOption {
    /** The operation that the page requires. */
    operation?: string;
    /** The role that an organization page requires, and its licensed feature. */
    organization?: { role: OrganizationRole; feature?: Feature };
  }
}
