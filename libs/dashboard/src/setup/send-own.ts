import { api, call } from '../api/client.js';
import { findOwn, nameFrom, type OwnStep, packageKinds, type Period } from './own-catalog.js';
import type { SampleTarget } from './send-sample.js';
import type { Catalog } from './sample-catalog.js';

/** Values that a person enters for a step. */
export interface OwnValues {
  /** The product's identifier in the store, or a lookup key. */
  key: string;
  name: string;
  period: Period;
  /** In USD, for the Test Store. */
  price: string;
}

type Headers = { 'Idempotency-Key': string };

interface Sent {
  target: SampleTarget;
  catalog: Catalog;
  values: OwnValues;
  headers: Headers;
  isTestStore: boolean;
}

/** A step of two calls needs a key for each. */
const second = (headers: Headers): Headers => ({ 'Idempotency-Key': `${headers['Idempotency-Key']}-2` });

const namedOf = ({ key, name }: OwnValues) => ({
  lookup_key: key.trim(),
  display_name: name.trim() || nameFrom(key.trim()),
});

export function productBody({ key, name, period, price }: OwnValues, appId: string, isTestStore: boolean) {
  const identifier = key.trim();
  return {
    store_identifier: identifier,
    app_id: appId,
    type: 'subscription' as const,
    display_name: name.trim() || nameFrom(identifier),
    ...(isTestStore && {
      subscription: { duration: period },
      test_store_price: { amount_micros: Math.round(Number(price) * 1_000_000), currency: 'USD' },
    }),
  };
}

const calls: Record<OwnStep, (sent: Sent) => Promise<unknown>> = {
  product: ({ target, values, headers, isTestStore }) =>
    call(
      api.POST('/v2/projects/{project_id}/products', {
        params: { path: { project_id: target.projectId }, header: headers },
        body: productBody(values, target.appId, isTestStore),
      }),
    ),
  entitlement: async ({ target, catalog, values, headers }) => {
    const path = { project_id: target.projectId };
    const body = namedOf(values);
    const known = catalog.entitlements.find(({ lookup_key: key }) => key === body.lookup_key);
    const { id } =
      known ??
      (await call(
        api.POST('/v2/projects/{project_id}/entitlements', { params: { path, header: headers }, body }),
      ));
    return call(
      api.POST('/v2/projects/{project_id}/entitlements/{entitlement_id}/actions/attach_products', {
        params: { path: { ...path, entitlement_id: id }, header: second(headers) },
        body: { product_ids: [findOwn(catalog).product!.id] },
      }),
    );
  },
  offering: ({ target, values, headers }) =>
    call(
      api.POST('/v2/projects/{project_id}/offerings', {
        params: { path: { project_id: target.projectId }, header: headers },
        body: namedOf(values),
      }),
    ),
  package: async ({ target, catalog, values, headers }) => {
    const { offering, product } = findOwn(catalog);
    const path = { project_id: target.projectId };
    const body = packageKinds[values.period];
    const known = offering!.packages?.items.find(({ lookup_key: key }) => key === body.lookup_key);
    const { id } =
      known ??
      (await call(
        api.POST('/v2/projects/{project_id}/offerings/{offering_id}/packages', {
          params: { path: { ...path, offering_id: offering!.id }, header: headers },
          body,
        }),
      ));
    return call(
      api.POST('/v2/projects/{project_id}/packages/{package_id}/actions/attach_products', {
        params: { path: { ...path, package_id: id }, header: second(headers) },
        body: { products: [{ product_id: product!.id, eligibility_criteria: 'all' }] },
      }),
    );
  },
};

/** Creates the object of a step, and connects it with the one before. */
export const sendOwnStep = (step: OwnStep, sent: Sent): Promise<unknown> => calls[step](sent);
