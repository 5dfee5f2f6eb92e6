import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FakeVendor } from './fake-vendor.js';

/** Writes the file with the purchase tokens that no API of the vendor shows. */
export async function tokenFile({ world }: FakeVendor, folder: string): Promise<string> {
  const rows = [...world.customers.values()]
    .flatMap(({ subscriptions }) => subscriptions)
    .filter(({ store }) => store === 'play_store')
    .map(({ store_subscription_identifier: order, secret }) => `${order},${secret.purchaseToken}`);
  const file = join(folder, 'tokens.csv');
  await writeFile(file, ['order_id,purchase_token', ...rows].join('\n'));
  return file;
}
