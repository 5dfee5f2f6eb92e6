import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { accountQuery } from '../api/account.queries.js';
import { CallError } from '../api/call-error.js';
import { environments } from '../frame/environments.js';
import { Root } from '../frame/root.js';
import { oneOf, search } from '../frame/search.js';
import { PageNotLoaded } from '../frame/stale-assets.js';

/** A page that is loaded when it is first opened. */
export function page<Module extends { default: () => React.ReactNode }>(load: () => Promise<Module>) {
  return lazyRouteComponent(() =>
    load().catch((cause: unknown) => {
      throw new PageNotLoaded(cause);
    }),
  );
}

export const root = createRootRouteWithContext<{ queries: QueryClient }>()({ component: Root });

/** All child routes need a session; without one they redirect to the sign-in page and back. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  // A separate file, because the sign-in page is often the first page.
  component: page(() => import('../frame/frame.js')),
  beforeLoad: async ({ context: { queries }, location: { href } }) => {
    try {
      return { account: await queries.ensureQueryData(accountQuery) };
    } catch (error) {
      if (!(error instanceof CallError && error.status === 401)) throw error;
      throw redirect({ to: '/login', search: href === '/' ? {} : { next: href } });
    }
  },
});

/** Child pages set the required operation in `staticData.operation`. */
export const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId',
  component: page(() => import('../frame/pages/project-page.js')),
  validateSearch: search({ env: oneOf(...environments) }),
  search: { middlewares: [retainSearchParams(['env'])] },
});
