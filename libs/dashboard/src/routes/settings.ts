import { createRoute } from '@tanstack/react-router';
import { day, oneOf, search, text } from '../frame/search.js';
import { page, project } from './parents.js';

const general = createRoute({
  getParentRoute: () => project,
  path: '/settings/general',
  staticData: { operation: 'getProject' },
  component: page(() => import('../settings/general/general-page.js')),
});
const keys = createRoute({
  getParentRoute: () => project,
  path: '/settings/keys',
  staticData: { operation: 'listApiKeys' },
  component: page(() => import('../settings/api-keys/keys-page.js')),
});
const members = createRoute({
  getParentRoute: () => project,
  path: '/settings/members',
  staticData: { operation: 'listCollaborators' },
  component: page(() => import('../settings/members/members-page.js')),
});
const customerSignIn = createRoute({
  getParentRoute: () => project,
  path: '/settings/sign-in',
  staticData: { operation: 'getAuthSettings' },
  validateSearch: search({ tab: oneOf('identities'), customer: text() }),
  component: page(() => import('../settings/sign-in/customer-sign-in-page.js')),
});
const redemption = createRoute({
  getParentRoute: () => project,
  path: '/settings/redemption',
  staticData: { operation: 'getRedemptionSettings' },
  component: page(() => import('../settings/redemption/redemption-page.js')),
});
const audit = createRoute({
  getParentRoute: () => project,
  path: '/settings/audit',
  staticData: { operation: 'listAuditLogs' },
  validateSearch: search({
    from: day(),
    to: day(),
    action: text(),
    actor: text(),
    customer: text(),
    target: text(),
    entry: text(),
  }),
  component: page(() => import('../settings/audit/audit-page.js')),
});
export const settingsRoutes = [general, keys, members, customerSignIn, redemption, audit] as const;
