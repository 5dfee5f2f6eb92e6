import { UnknownValuesService } from '../../src/purchases/unknown-values/unknown-values.service.js';
import type { ApiClient, Json } from './api-client.js';
import type { TestServer } from './test-server.js';

/** Parts that the worlds of all stores have in common. */
interface StoreWorld {
  server: TestServer;
  path: string;
  backend: ApiClient;
  sdk: ApiClient;
  events(appUserId: string): Promise<string[]>;
}

let count = 0;

/** A value that no store sends, different each time. */
export function madeUp(): string {
  return `MADE_UP_${++count}`;
}

async function refundsIn({ server }: StoreWorld): Promise<number> {
  const [row] = await server.dataSource.query<{ count: string }[]>(
    `SELECT count(*) FROM store_transactions WHERE kind = 'refund' AND amount_micros <> 0`,
  );
  return Number(row?.count);
}

/** Entries of setup health about a value. */
export async function countedValues({ server, path, backend }: StoreWorld, value: string): Promise<Json[]> {
  await server.app.get(UnknownValuesService).flush();
  const { body } = await backend.get(`${path}/setup_health`);
  return body.unknown_store_values.filter((one: Json) => one.value === value);
}

/** Ends of the entitlements that a customer has. */
export async function accessEnds({ sdk }: StoreWorld, appUserId: string): Promise<(string | null)[]> {
  const { body } = await sdk.get(`/v1/subscribers/${encodeURIComponent(appUserId)}`);
  const entitlements: Json[] = Object.values(body.subscriber.entitlements);
  return entitlements.map((one) => one.expires_date);
}

/**
 * Lets a store send a made-up value about a customer's purchase: it is counted once, grants nothing without an end, ends
 * nothing and refunds nothing.
 */
export async function expectOnlyCounted(
  world: StoreWorld,
  appUserId: string,
  { field, value }: { field: string; value: string },
  send: () => Promise<unknown>,
): Promise<void> {
  const [refunds, ends] = [await refundsIn(world), await accessEnds(world, appUserId)];
  await send();
  expect(await countedValues(world, value)).toEqual([
    expect.objectContaining({ field, value, count: expect.any(Number) }),
  ]);
  const events = await world.events(appUserId);
  expect(events.filter((event) => event.startsWith('EXPIRATION'))).toEqual([]);
  expect(await refundsIn(world)).toBe(refunds);
  const now = await accessEnds(world, appUserId);
  expect(now).toHaveLength(ends.length);
  expect(now.filter((end) => end === null)).toEqual(ends.filter((end) => end === null));
}
