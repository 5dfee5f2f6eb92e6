import { createRoute } from '@tanstack/react-router';
import { oneOf, search, text } from '../frame/search.js';
import { page, root, signedIn } from './parents.js';

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: search({ next: text(), sso_error: text() }),
  component: page(() => import('../account/login-page.js')),
});
const signup = createRoute({
  getParentRoute: () => root,
  path: '/signup',
  validateSearch: search({ next: text() }),
  component: page(() => import('../account/signup-page.js')),
});
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: page(() => import('../account/reset-password-page.js')),
});
const verifyEmail = createRoute({
  getParentRoute: () => root,
  path: '/verify-email',
  component: page(() => import('../account/verify-email-page.js')),
});
const changeEmail = createRoute({
  getParentRoute: () => root,
  path: '/change-email',
  component: page(() => import('../account/change-email-page.js')),
});
const stopDigest = createRoute({
  getParentRoute: () => root,
  path: '/stop-digest',
  component: page(() => import('../account/stop-digest-page.js')),
});
const invite = createRoute({
  getParentRoute: () => root,
  path: '/invite',
  component: page(() => import('../account/invite-page.js')),
});
const newProject = createRoute({
  getParentRoute: () => signedIn,
  path: '/new',
  component: page(() => import('../projects/new-project-page.js')),
});
const noAccess = createRoute({
  getParentRoute: () => signedIn,
  path: '/no-access',
  component: page(() => import('../projects/no-access-page.js')),
});
const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  validateSearch: search({ tab: oneOf('security', 'sessions', 'clients', 'organizations', 'preferences') }),
  component: page(() => import('../account/account-page.js')),
});
/** Pages without a session. */
export const accountRoutes = [
  login,
  signup,
  resetPassword,
  verifyEmail,
  changeEmail,
  stopDigest,
  invite,
] as const;

/** Pages for a signed-in person. */
export const personRoutes = [newProject, noAccess, account] as const;
