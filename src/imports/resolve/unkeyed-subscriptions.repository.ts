import { Injectable } from '@nestjs/common';
import type { Environment } from '../../../libs/engine/index.js';
import { DatabaseService, type Executor } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';

export const MISS_MS = 7 * 86_400_000;

/** An imported subscription whose store key is not known yet. */
export interface UnkeyedSubscription {
  id: string;
  environment: Environment;
  storeKey: string;
  keyState: 'guessed' | 'token_needed';
  /** Holds transaction or order ids. */
  storeIdentifiers: string[];
  isOver: boolean;
}

interface AppPlace {
  projectId: string;
  appId: string;
}

/** Newest first, except those that the store recently did not know. $3: now. */
const next = statement(
  'unkeyed_subscriptions.next',
  `SELECT s.id, s.environment, s.store_key AS "storeKey", s.key_state AS "keyState",
     s.store_identifiers AS "storeIdentifiers", s.status = 'expired' AS "isOver"
   FROM subscriptions s
   WHERE s.project_id = $1 AND s.app_id = $2 AND s.key_state IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM import_key_misses m
       WHERE m.project_id = $1 AND m.subscription_id = s.id AND m.ask_again_at > $3)
   ORDER BY s.started_at DESC, s.id LIMIT $4`,
);

const isAnyLeft = statement(
  'unkeyed_subscriptions.is_any_left',
  `SELECT 1 FROM subscriptions WHERE project_id = $1 AND app_id = $2 AND key_state IS NOT NULL LIMIT 1`,
);

const miss = statement(
  'unkeyed_subscriptions.miss',
  `INSERT INTO import_key_misses (project_id, subscription_id, ask_again_at)
   SELECT s.project_id, s.id, $3::timestamptz FROM subscriptions s WHERE s.project_id = $1 AND s.id = ANY($2::text[]) AND s.key_state IS NOT NULL
   ON CONFLICT (project_id, subscription_id) DO UPDATE SET ask_again_at = excluded.ask_again_at`,
);

/** Purchases of some apps by a payment's id. $4: now. */
const named = statement(
  'unkeyed_subscriptions.named',
  `(SELECT DISTINCT ON (s.app_id, i.store_identifier) s.app_id AS "appId", i.store_identifier AS id,
     CASE WHEN s.key_state IS NULL THEN s.store_key END AS key
   FROM subscription_identifiers i JOIN subscriptions s ON s.project_id = $1 AND s.id = i.subscription_id
   LEFT JOIN import_key_misses m ON m.project_id = $1 AND m.subscription_id = s.id AND m.ask_again_at > $4
   WHERE i.project_id = $1 AND i.store_identifier = ANY($3::text[]) AND s.app_id = ANY($2::text[])
     AND (s.key_state IS NULL OR m.subscription_id IS NOT NULL)
   ORDER BY s.app_id, i.store_identifier, key)
   UNION ALL
   SELECT o.app_id, i.store_identifier, o.purchase_key
   FROM one_time_identifiers i JOIN one_time_purchases o ON o.project_id = $1 AND o.id = i.purchase_id
   WHERE i.project_id = $1 AND i.store_identifier = ANY($3::text[]) AND o.app_id = ANY($2::text[])
     AND o.store = 'play_store' AND o.purchase_key <> i.store_identifier`,
);

export interface NamedPurchase {
  appId: string;
  id: string;
  /** Null if the store recently did not know it. */
  key: string | null;
}

@Injectable()
export class UnkeyedSubscriptionsRepository {
  constructor(private readonly database: DatabaseService) {}

  next({ projectId, appId }: AppPlace, nowMs: number, limit: number): Promise<UnkeyedSubscription[]> {
    return this.database.query(next, [projectId, appId, new Date(nowMs), limit]);
  }

  /** Purchases by a payment's id for which no store needs to be asked. */
  named(projectId: string, appIds: string[], ids: string[], nowMs: number): Promise<NamedPurchase[]> {
    return this.database.query(named, [projectId, appIds, ids, new Date(nowMs)]);
  }

  async isAnyLeft({ projectId, appId }: AppPlace): Promise<boolean> {
    return (await this.database.query(isAnyLeft, [projectId, appId])).length > 0;
  }

  /** Saves that subscriptions are unknown to the store. Those still without a key are looked up again after a week. */
  async recordMisses(
    executor: Executor | null,
    projectId: string,
    subscriptionIds: string[],
    nowMs: number,
  ): Promise<void> {
    if (subscriptionIds.length === 0) return;
    const askAgainAt = new Date(nowMs + MISS_MS);
    await (executor ?? this.database).query(miss, [projectId, subscriptionIds, askAgainAt]);
  }
}
