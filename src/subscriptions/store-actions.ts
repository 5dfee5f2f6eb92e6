import type { Store } from '../../libs/engine/index.js';
import { ApiError } from '../http/api-error.js';

/** What a store can be asked to do with a subscription, and how that reads in an error. */
const actions = {
  cancel: { stores: ['play_store'], words: 'cancelled' },
  refund: { stores: ['play_store'], words: 'refunded' },
  extend: { stores: ['app_store', 'mac_app_store', 'play_store'], words: 'extended' },
} as const satisfies Record<string, { stores: readonly Store[]; words: string }>;

export type StoreAction = keyof typeof actions;

const RETRY_AFTER_S = 3600;

/**
 * The refusal of an action on a subscription: 422 for a store that has no such action, 503 for one that has it
 * and that this server cannot reach yet.
 */
export function storeActionRefusal(store: Store, action: StoreAction): ApiError {
  const { stores, words } = actions[action];
  if ((stores as readonly Store[]).includes(store)) {
    return new ApiError('store_unreachable', `This server cannot reach ${store} yet.`, {
      retryAfterS: RETRY_AFTER_S,
    });
  }
  return new ApiError('impossible', `Subscriptions of ${store} cannot be ${words} from here.`);
}
