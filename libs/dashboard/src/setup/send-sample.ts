import { api, call } from '../api/client.js';
import {
  type Catalog,
  findSample,
  type FoundSample,
  lockedProducts,
  sample,
  type SampleStep,
  withItem,
} from './sample-catalog.js';

export interface SampleTarget {
  projectId: string;
  appId: string;
}

interface Sent {
  target: SampleTarget;
  catalog: Catalog;
  found: FoundSample;
  headers: { 'Idempotency-Key': string };
}

async function addProduct(which: 'monthly' | 'yearly', { target, catalog, headers }: Sent) {
  const product = await call(
    api.POST('/v2/projects/{project_id}/products', {
      params: { path: { project_id: target.projectId }, header: headers },
      body: { ...sample[which], app_id: target.appId, type: 'subscription' },
    }),
  );
  return { ...catalog, products: withItem(catalog.products, product) };
}

type Package = 'monthlyPackage' | 'yearlyPackage';

/** Adds `made` to the packages of the sample's offering. */
function withPackage({ catalog, found }: Sent, made: NonNullable<FoundSample[Package]>): Catalog {
  const offering = found.offering!;
  const packages = offering.packages ?? { object: 'list', items: [], next_page: null, url: '' };
  const changed = { ...offering, packages: { ...packages, items: withItem(packages.items, made) } };
  return { ...catalog, offerings: withItem(catalog.offerings, changed) };
}

async function addPackage(which: Package, sent: Sent) {
  const made = await call(
    api.POST('/v2/projects/{project_id}/offerings/{offering_id}/packages', {
      params: {
        path: { project_id: sent.target.projectId, offering_id: sent.found.offering!.id },
        header: sent.headers,
      },
      body: sample[which],
    }),
  );
  return withPackage(sent, made);
}

async function fillPackage(which: Package, product: 'monthly' | 'yearly', sent: Sent) {
  const made = await call(
    api.POST('/v2/projects/{project_id}/packages/{package_id}/actions/attach_products', {
      params: {
        path: { project_id: sent.target.projectId, package_id: sent.found[which]!.id },
        header: sent.headers,
      },
      body: { products: [{ product_id: sent.found[product]!.id, eligibility_criteria: 'all' }] },
    }),
  );
  return withPackage(sent, made);
}

const calls: Record<SampleStep, (sent: Sent) => Promise<Catalog>> = {
  entitlement: async ({ target, catalog, headers }) => {
    const made = await call(
      api.POST('/v2/projects/{project_id}/entitlements', {
        params: { path: { project_id: target.projectId }, header: headers },
        body: sample.entitlement,
      }),
    );
    return { ...catalog, entitlements: withItem(catalog.entitlements, made) };
  },
  monthly: (sent) => addProduct('monthly', sent),
  yearly: (sent) => addProduct('yearly', sent),
  unlock: async ({ target, catalog, found, headers }) => {
    const changed = await call(
      api.POST('/v2/projects/{project_id}/entitlements/{entitlement_id}/actions/attach_products', {
        params: {
          path: { project_id: target.projectId, entitlement_id: found.entitlement!.id },
          header: headers,
        },
        body: { product_ids: lockedProducts(found) },
      }),
    );
    return { ...catalog, entitlements: withItem(catalog.entitlements, changed) };
  },
  offering: async ({ target, catalog, headers }) => {
    const made = await call(
      api.POST('/v2/projects/{project_id}/offerings', {
        params: { path: { project_id: target.projectId }, header: headers },
        body: sample.offering,
      }),
    );
    return { ...catalog, offerings: withItem(catalog.offerings, made) };
  },
  monthlyPackage: (sent) => addPackage('monthlyPackage', sent),
  monthlyInPackage: (sent) => fillPackage('monthlyPackage', 'monthly', sent),
  yearlyPackage: (sent) => addPackage('yearlyPackage', sent),
  yearlyInPackage: (sent) => fillPackage('yearlyPackage', 'yearly', sent),
};

/** Makes one call of the sample, and resolves to the catalog with the created object. */
export const sendSampleStep = (
  step: SampleStep,
  target: SampleTarget,
  catalog: Catalog,
  headers: { 'Idempotency-Key': string },
): Promise<Catalog> => calls[step]({ target, catalog, found: findSample(catalog), headers });
