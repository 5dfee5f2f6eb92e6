import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import type { NewCancellation } from '../play-cancellations/new-cancellation.js';
import { PlayCancellationsService } from '../play-cancellations/play-cancellations.service.js';
import type { ChangeSet, FoldedSubscription } from './change-set.js';
import { forgetAttributes, refundKinds, saveAttributes, saveChangeSet } from './change-set.sql.js';

const save = statement('purchases.save_change_set', saveChangeSet({ readsLedger: false }));
const saveWithRefunds = statement(
  'purchases.save_change_set_with_refunds',
  saveChangeSet({ readsLedger: true }),
);
const saveAttributesOf = statement('purchases.save_attributes', saveAttributes);
const forgetAttributesOf = statement('purchases.forget_attributes', forgetAttributes);

const moveSubscriptions = statement(
  'purchases.move_subscriptions',
  `WITH moved AS (
     UPDATE subscriptions SET customer_id = $3, version = version + 1, updated_at = $5
     WHERE project_id = $1 AND customer_id = $2 AND id = ANY($4::text[])
   )
   UPDATE store_transactions SET customer_id = $3
   WHERE project_id = $1 AND customer_id = $2 AND subscription_id = ANY($4::text[])`,
);

const moveOneTime = statement(
  'purchases.move_one_time',
  `WITH moved AS (
     UPDATE one_time_purchases SET customer_id = $3, version = version + 1, updated_at = $5
     WHERE project_id = $1 AND customer_id = $2 AND id = ANY($4::text[])
   )
   UPDATE store_transactions SET customer_id = $3
   WHERE project_id = $1 AND customer_id = $2 AND purchase_id = ANY($4::text[])`,
);

/** Moves the money, events and aliases of a subscription ($2) to another ($3). */
const foldRows = statement(
  'purchases.fold_rows',
  `WITH money AS (
     UPDATE store_transactions SET subscription_id = $3 WHERE project_id = $1 AND subscription_id = $2
   ), history AS (
     UPDATE events SET subscription_id = $3 WHERE project_id = $1 AND subscription_id = $2
   ), owners AS (
     UPDATE ownership_changes SET purchase_id = $3 WHERE project_id = $1 AND purchase_id = $2
   )
   UPDATE subscription_aliases SET subscription_id = $3 WHERE project_id = $1 AND subscription_id = $2`,
);

const foldIdentifiers = statement(
  'purchases.fold_identifiers',
  `INSERT INTO subscription_identifiers (project_id, store_identifier, subscription_id)
   SELECT project_id, store_identifier, $3 FROM subscription_identifiers
   WHERE project_id = $1 AND subscription_id = $2 ON CONFLICT DO NOTHING`,
);

const addFoldedAlias = statement(
  'purchases.add_folded_alias',
  `INSERT INTO subscription_aliases (project_id, alias_id, subscription_id) VALUES ($1, $2, $3)
   ON CONFLICT (project_id, alias_id) DO UPDATE SET subscription_id = excluded.subscription_id`,
);

const deleteFolded = statement(
  'purchases.delete_folded',
  'DELETE FROM subscriptions WHERE project_id = $1 AND id = $2',
);

export interface Move {
  fromCustomerId: string;
  toCustomerId: string;
  subscriptionIds: string[];
  oneTimeIds: string[];
}

/** The only writer of purchases, their money and their events. */
@Injectable()
export class ChangesRepository {
  constructor(private readonly cancellations: PlayCancellationsService) {}

  /** Returns the number of webhook deliveries of the events. */
  async save(tx: Transaction, projectId: string, changes: ChangeSet, nowMs: number): Promise<number> {
    const { subscriptions, oneTime, ledger, events, customers, snapshots } = changes;
    const parts = [subscriptions, oneTime, ledger, events, customers, snapshots];
    const values = parts.map((part) => JSON.stringify(part));
    const now = new Date(nowMs);
    const readsLedger = ledger.some(({ kind, rebooks }) => rebooks || refundKinds.includes(kind));
    const revalued = new Set(changes.revalued);
    const buyers = new Set(
      [...subscriptions, ...oneTime].filter(({ id }) => revalued.has(id)).map(({ customerId }) => customerId),
    );
    const [saved] = await tx.query<{ deliveries: number }>(readsLedger ? saveWithRefunds : save, [
      projectId,
      ...values,
      now,
      changes.revalued,
      [...buyers],
    ]);
    const { attributes, forgottenAttributes: forgotten } = changes;
    if (attributes.length > 0) {
      await tx.query(saveAttributesOf, [projectId, JSON.stringify(attributes), now]);
    }
    if (forgotten.length > 0) {
      const names = forgotten.map(({ name }) => name);
      await tx.query(forgetAttributesOf, [projectId, forgotten.map(({ customerId }) => customerId), names]);
    }
    return saved?.deliveries ?? 0;
  }

  /** Moves everything of a subscription to another and frees its store key. */
  async fold(tx: Transaction, projectId: string, folded: FoldedSubscription[]): Promise<void> {
    for (const { id, aliasId } of folded) {
      for (const part of [foldRows, foldIdentifiers, addFoldedAlias]) {
        await tx.query(part, [projectId, aliasId, id]);
      }
      await tx.query(deleteFolded, [projectId, aliasId]);
    }
  }

  async addCancellations(
    tx: Transaction,
    projectId: string,
    added: readonly NewCancellation[],
  ): Promise<void> {
    if (added.length > 0) await this.cancellations.record(tx, projectId, added);
  }

  async move(tx: Transaction, projectId: string, move: Move, nowMs: number): Promise<void> {
    const { fromCustomerId, toCustomerId, subscriptionIds, oneTimeIds } = move;
    const now = new Date(nowMs);
    await tx.query(moveSubscriptions, [projectId, fromCustomerId, toCustomerId, subscriptionIds, now]);
    await tx.query(moveOneTime, [projectId, fromCustomerId, toCustomerId, oneTimeIds, now]);
  }
}
