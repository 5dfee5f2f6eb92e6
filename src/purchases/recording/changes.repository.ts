import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.service.js';
import { type Statement, statement } from '../../platform/database/statement.js';
import {
  insertMatchingDeliveries,
  type MatchedEvent,
} from '../../webhooks/deliveries/delivery-matching.sql.js';
import type { NewCancellation } from '../play-cancellations/new-cancellation.js';
import { PlayCancellationsService } from '../play-cancellations/play-cancellations.service.js';
import type { ChangeSet, EventWrite, FoldedSubscription } from './change-set.js';
import {
  forgetAttributes,
  markForCharts,
  nameOneTime,
  nameSubscriptions,
  refundKinds,
  saveAttributes,
  saveCustomers,
  saveEvents,
  saveLedger,
  saveOneTime,
  saveRefunds,
  saveSnapshots,
  saveSubscriptions,
} from './change-set.sql.js';

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

function matchedEvent({
  id,
  createdAtMs,
  type,
  appId,
  environment,
  delivery,
  customerId,
  sequence,
}: EventWrite): MatchedEvent {
  return {
    id,
    created_at: new Date(createdAtMs),
    type,
    app_id: appId,
    environment,
    delivery,
    customer_id: customerId,
    sequence,
  };
}

function namesOf(purchases: readonly { id: string; storeIdentifiers: readonly string[] }[]): object[] {
  return purchases.flatMap(({ id, storeIdentifiers }) =>
    storeIdentifiers.map((identifier) => ({ owner: id, identifier })),
  );
}

/** The only writer of purchases, their money and their events. */
@Injectable()
export class ChangesRepository {
  constructor(private readonly cancellations: PlayCancellationsService) {}

  /** Returns the number of webhook deliveries of the events. */
  async save(tx: Transaction, projectId: string, changes: ChangeSet, nowMs: number): Promise<number> {
    const { subscriptions, oneTime, ledger, events } = changes;
    const now = new Date(nowMs);
    const save = async (command: Statement, rows: readonly object[], ...values: Date[]): Promise<number> =>
      rows.length === 0 ? 0 : (await tx.query(command, [projectId, JSON.stringify(rows), ...values])).length;
    const revalued = new Set(changes.revalued);
    const newSubscriptions = subscriptions.filter(({ id }) => revalued.has(id));
    const newOneTime = oneTime.filter(({ id }) => revalued.has(id));
    const buyers = new Set([...newSubscriptions, ...newOneTime].map(({ customerId }) => customerId));
    const readsLedger = ledger.some(({ kind, rebooks }) => rebooks || refundKinds.includes(kind));
    // Sent together, and run in this order.
    const [deliveries] = await Promise.all([
      save(insertMatchingDeliveries, events.map(matchedEvent)),
      save(saveSubscriptions, subscriptions, now),
      save(saveOneTime, oneTime, now),
      save(nameSubscriptions, namesOf(newSubscriptions)),
      save(nameOneTime, namesOf(newOneTime)),
      save(readsLedger ? saveRefunds : saveLedger, ledger, now),
      save(saveEvents, events),
      save(saveCustomers, changes.customers),
      save(saveSnapshots, changes.snapshots),
      ...[...buyers].map(async (id) => (await tx.query(markForCharts, [projectId, id, now])).length),
      save(saveAttributes, changes.attributes, now),
      save(forgetAttributes, changes.forgottenAttributes),
    ]);
    return deliveries;
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
