import type { AppType } from '../../platform/principal/app-types.js';

/** Stores whose receipts name an order that customers can read out, and what such an order id looks like. */
const orders: { form: RegExp; apps: readonly AppType[] }[] = [
  { form: /^GPA\.\d{4}-\d{4}-\d{4}-\d{5}(\.\.\d+)?$/, apps: ['play_store'] },
  { form: /^M[0-9A-Z]{6,13}$/, apps: ['app_store', 'mac_app_store'] },
];

/** Kinds of apps whose store may know an order of that id; none for an id of no known form. */
export function appsOfOrder(orderId: string): readonly AppType[] {
  return orders.find(({ form }) => form.test(orderId))?.apps ?? [];
}

/** The ids by which a purchase may be known here: of a numbered renewal its first order, too. */
export function namesOfOrder(orderId: string): string[] {
  const first = orderId.replace(/\.\.\d+$/, '');
  return first === orderId || first === '' ? [orderId] : [orderId, first];
}
