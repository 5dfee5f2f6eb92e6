import { readdirSync, readFileSync } from 'node:fs';
import type { KnownObjects } from '../../support/known-objects.js';

export interface DashboardRoute {
  /** Route pattern as in the router: `/projects/$projectId/webhooks/$webhookId`. */
  path: string;
  /** Its module below libs/dashboard/src. */
  page: string;
  needsSession: boolean;
}

const folder = new URL('../../../libs/dashboard/src/routes/', import.meta.url);
/** Parents with an address of their own. */
const parents: Record<string, string> = {
  project: '/projects/$projectId',
  organization: '/organizations/$orgId',
};
const declaration = /getParentRoute: \(\) => (\w+),\s+path: '([^']+)'.*?import\('\.\.\/([^']+)\.js'\)/s;

function routesOf(source: string): DashboardRoute[] {
  return source.split('createRoute(').flatMap((text) => {
    const [, parent, path = '', page = ''] = declaration.exec(text) ?? [];
    if (parent === undefined || Object.values(parents).includes(path)) return [];
    return [{ path: (parents[parent] ?? '') + path, page, needsSession: parent !== 'root' }];
  });
}

/** Every page, read off the sources of the router: a walk over them misses none. */
export const dashboardRoutes: DashboardRoute[] = readdirSync(folder)
  .sort()
  .flatMap((file) => routesOf(readFileSync(new URL(file, folder), 'utf8')));

const parameters: Record<string, string> = {
  $projectId: 'project_id',
  $appId: 'app_id',
  $storeAppId: 'store_app_id',
  $otherOfferingId: 'other_offering_id',
  $productId: 'product_id',
  $entitlementId: 'entitlement_id',
  $offeringId: 'offering_id',
  $destinationId: 'destination_id',
  $webhookId: 'webhook_integration_id',
  $digestId: 'digest_id',
  $exportId: 'export_id',
  $clockId: 'test_clock_id',
  $orgId: 'org_id',
  $orgProjectId: 'org_project_id',
  $roleId: 'role_id',
  $connectionId: 'connection_id',
  $chart: 'chart_name',
  $experimentId: 'experiment_id',
  $paywallId: 'paywall_id',
  $refundRequestId: 'refund_request_id',
};

/** Parameters that are no objects. */
const values: Record<string, string> = { $destinationType: 'segment' };

/** The address of a page with the objects of `arrangeKnownObjects` in it. */
export function addressOf({ path }: Pick<DashboardRoute, 'path'>, known: KnownObjects): string {
  const address = path.replace(/\$\w+/g, (name) => {
    const value = values[name] ?? known[parameters[name] ?? ''];
    if (value === undefined) throw new Error(`There is no object for ${name} of ${path}`);
    return value;
  });
  return address.endsWith('/customer') ? `${address}?id=${known['customer_id'] ?? ''}` : address;
}
