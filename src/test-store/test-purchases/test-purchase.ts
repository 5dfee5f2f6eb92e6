import type { Scenario } from '../../../libs/stores/index.js';
import type { Transaction } from '../../platform/database/database.service.js';
import type { EventWrite } from '../../purchases/recording/change-set.js';

export interface TestPurchase {
  scenario: Scenario;
  /** The store's id of the purchase, or of the latest period. */
  storeTransactionId: string;
  /** An app user id of the buyer. */
  appUserId: string;
  /** Exactly one of the two is null. */
  subscriptionId: string | null;
  purchaseId: string | null;
  events: Pick<EventWrite, 'id' | 'type'>[];
}

/** Runs a scenario; may be retried. */
export type ScenarioWork = (tx: Transaction) => Promise<TestPurchase>;
