import type { DatasetColumn } from '../dataset.model.js';
import { column, nullable } from './column.js';

export const ledgerColumns: readonly DatasetColumn[] = [
  column('id', 'text', 'The id of the ledger entry.'),
  column('recorded_at', 'time', 'When the entry was recorded.'),
  column('customer_id', 'text', 'The internal id of the customer who owns the purchase now.'),
  nullable('subscription_id', 'text', 'The subscription; null for one-time purchases.'),
  nullable('purchase_id', 'text', 'The one-time purchase; null for subscriptions.'),
  nullable('app_id', 'text', 'The app that sold it.'),
  column('store', 'text', 'The store, as in the API.'),
  column('environment', 'text', 'production or sandbox.'),
  column('kind', 'text', 'What the entry is: a purchase, a renewal, a refund, ….'),
  nullable('store_transaction_id', 'text', 'The transaction at its store.'),
  nullable('product_identifier', 'text', 'The product at its store.'),
  column('purchased_at', 'time', 'When the store charged or returned the money.'),
  nullable('expires_at', 'time', 'The end of the period that was charged.'),
  nullable('amount_micros', 'micros', 'The amount in millionths of the currency; refunds are negative.'),
  nullable('currency', 'text', 'The currency of the amount.'),
  nullable('usd_micros', 'micros', 'The amount in millionths of a US dollar, at the rate of its day.'),
  nullable('fx_rate', 'decimal', 'The rate of that conversion.'),
  column('commission_bps', 'integer', 'The commission of the store in hundredths of a percent.'),
  column('tax_bps', 'integer', 'The taxes in hundredths of a percent.'),
  column('quantity', 'integer', 'How many items were bought.'),
  nullable('country', 'text', 'The country of the purchase.'),
  column('ownership', 'text', 'purchased or family_shared.'),
];
