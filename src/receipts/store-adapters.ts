import { type StoreAdapter, testStore } from '../../libs/stores/index.js';
import type { AppType } from '../apps/app-types.js';
import { ApiError } from '../http/api-error.js';

const adapters: Partial<Record<AppType, StoreAdapter>> = { test_store: testStore };

const RETRY_AFTER_S = 3600;

/**
 * The adapter of an app's store.
 * @throws ApiError 503 for a store this server cannot verify: the SDK keeps the purchase and posts it again,
 *   so nothing is lost until a version that can is running
 */
export function storeAdapter(appType: AppType): StoreAdapter {
  const adapter = adapters[appType];
  if (adapter) return adapter;
  throw new ApiError('store_unreachable', `This server cannot verify purchases of ${appType} yet.`, {
    retryAfterS: RETRY_AFTER_S,
  });
}
