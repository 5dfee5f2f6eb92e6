import type { AppType } from '../../platform/principal/app-types.js';

/** Stores whose receipts show customers an order id, and the format of these ids. */
const orders: { form: RegExp; apps: readonly AppType[] }[] = [
  { form: /^GPA\.\d{4}-\d{4}-\d{4}-\d{5}(\.\.\d+)?$/, apps: ['play_store'] },
  { form: /^M[0-9A-Z]{6,13}$/, apps: ['app_store', 'mac_app_store'] },
];

/** Empty for an unknown format. */
export function appsOfOrder(orderId: string): readonly AppType[] {
  return orders.find(({ form }) => form.test(orderId))?.apps ?? [];
}

/** Ids under which a purchase may be recorded. For a numbered renewal, these include the first order. */
export function namesOfOrder(orderId: string): string[] {
  const first = orderId.replace(/\.\.\d+$/, '');
  return first === orderId || first === '' ? [orderId] : [orderId, first];
}
