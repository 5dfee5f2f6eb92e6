import { api, call } from '../api/client.js';
import type { Action, Kind } from './labels.js';

export type Headers = { 'Idempotency-Key': string };
type Send = (project: string, id: string, headers: Headers) => Promise<unknown>;

interface Change {
  /** The `operationId`. */
  id: string;
  /** Method and path as documented. */
  operation: string;
  send: Send;
}

const product = (project_id: string, product_id: string) => ({ path: { project_id, product_id } });
const entitlement = (project_id: string, entitlement_id: string) => ({
  path: { project_id, entitlement_id },
});
const offering = (project_id: string, offering_id: string) => ({ path: { project_id, offering_id } });
const currency = (project_id: string, code: string) => ({
  path: { project_id, virtual_currency_code: code },
});

const products = '/v2/projects/{project_id}/products/{product_id}';
const entitlements = '/v2/projects/{project_id}/entitlements/{entitlement_id}';
const offerings = '/v2/projects/{project_id}/offerings/{offering_id}';
const currencies = '/v2/projects/{project_id}/virtual_currencies/{virtual_currency_code}';

/** Operations that archive, unarchive and delete, by kind of object. */
export const objectChanges: Record<Kind, Record<Action, Change>> = {
  product: {
    archive: {
      id: 'archiveProduct',
      operation: `POST ${products}/actions/archive`,
      send: (project, id, headers) =>
        call(api.POST(`${products}/actions/archive`, { params: product(project, id), headers })),
    },
    unarchive: {
      id: 'unarchiveProduct',
      operation: `POST ${products}/actions/unarchive`,
      send: (project, id, headers) =>
        call(api.POST(`${products}/actions/unarchive`, { params: product(project, id), headers })),
    },
    delete: {
      id: 'deleteProduct',
      operation: `DELETE ${products}`,
      send: (project, id, headers) => call(api.DELETE(products, { params: product(project, id), headers })),
    },
  },
  entitlement: {
    archive: {
      id: 'archiveEntitlement',
      operation: `POST ${entitlements}/actions/archive`,
      send: (project, id, headers) =>
        call(api.POST(`${entitlements}/actions/archive`, { params: entitlement(project, id), headers })),
    },
    unarchive: {
      id: 'unarchiveEntitlement',
      operation: `POST ${entitlements}/actions/unarchive`,
      send: (project, id, headers) =>
        call(api.POST(`${entitlements}/actions/unarchive`, { params: entitlement(project, id), headers })),
    },
    delete: {
      id: 'deleteEntitlement',
      operation: `DELETE ${entitlements}`,
      send: (project, id, headers) =>
        call(api.DELETE(entitlements, { params: entitlement(project, id), headers })),
    },
  },
  offering: {
    archive: {
      id: 'archiveOffering',
      operation: `POST ${offerings}/actions/archive`,
      send: (project, id, headers) =>
        call(api.POST(`${offerings}/actions/archive`, { params: offering(project, id), headers })),
    },
    unarchive: {
      id: 'unarchiveOffering',
      operation: `POST ${offerings}/actions/unarchive`,
      send: (project, id, headers) =>
        call(
          api.POST(`${offerings}/actions/unarchive`, { params: offering(project, id), body: {}, headers }),
        ),
    },
    delete: {
      id: 'deleteOffering',
      operation: `DELETE ${offerings}`,
      send: (project, id, headers) => call(api.DELETE(offerings, { params: offering(project, id), headers })),
    },
  },
  currency: {
    archive: {
      id: 'archiveVirtualCurrency',
      operation: `POST ${currencies}/actions/archive`,
      send: (project, code, headers) =>
        call(api.POST(`${currencies}/actions/archive`, { params: currency(project, code), headers })),
    },
    unarchive: {
      id: 'unarchiveVirtualCurrency',
      operation: `POST ${currencies}/actions/unarchive`,
      send: (project, code, headers) =>
        call(api.POST(`${currencies}/actions/unarchive`, { params: currency(project, code), headers })),
    },
    delete: {
      id: 'deleteVirtualCurrency',
      operation: `DELETE ${currencies}`,
      send: (project, code, headers) =>
        call(api.DELETE(currencies, { params: currency(project, code), headers })),
    },
  },
};

/** Values of the placeholders in `operation`. */
export const pathOf: Record<Kind, (project: string, id: string) => Record<string, string>> = {
  product: (project, id) => product(project, id).path,
  entitlement: (project, id) => entitlement(project, id).path,
  offering: (project, id) => offering(project, id).path,
  currency: (project, id) => currency(project, id).path,
};
