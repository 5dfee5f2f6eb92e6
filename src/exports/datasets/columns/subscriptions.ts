import type { DatasetColumn } from '../dataset.model.js';
import { column, nullable } from './column.js';

export const subscriptionColumns: readonly DatasetColumn[] = [
  column('id', 'text', 'The subscription or one-time purchase, as in the API.'),
  column('kind', 'text', 'subscription or one_time.'),
  column('customer_id', 'text', 'The internal id of the customer who owns it now.'),
  nullable('app_id', 'text', 'The app that sold it.'),
  column('store', 'text', 'The store, as in the API.'),
  column('environment', 'text', 'production or sandbox.'),
  nullable('product_identifier', 'text', 'The current product, as events carry it in product_id.'),
  column('status', 'text', 'The status, as in the API.'),
  column('gives_access', 'boolean', 'True while it gives access to its entitlements.'),
  nullable(
    'auto_renewal_status',
    'text',
    'What happens at the end of the period; null for one-time purchases.',
  ),
  nullable('started_at', 'time', 'The start of the first period, or the time of a one-time purchase.'),
  nullable('current_period_started_at', 'time', 'The start of the latest period.'),
  nullable('current_period_ends_at', 'time', "The store's end of the latest period."),
  nullable('access_ends_at', 'time', 'When access ends, grace included; null if it never ends.'),
  column('ownership', 'text', 'purchased or family_shared.'),
  nullable('original_store_transaction_id', 'text', 'The first transaction at its store.'),
  nullable('latest_store_transaction_id', 'text', 'The latest transaction at its store.'),
  nullable(
    'entitlement_identifiers',
    'json',
    'The lookup keys of the entitlements of the product now, as a sorted array.',
  ),
  nullable('price_currency', 'text', 'The currency of the price; null if it is unknown.'),
  nullable('price_micros', 'micros', 'The price of the latest period in millionths of the currency.'),
  column('updated_at', 'time', 'When the row last changed.'),
];
