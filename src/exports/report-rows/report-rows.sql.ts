import { longStatement, statement } from '../../platform/database/statement.js';

type Columns = Record<string, string>;

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const transactionColumns: Columns = {
  purchaseId: 'text',
  periodKey: 'text',
  product: 'text',
  customerId: 'text',
  appId: 'text',
  country: 'text',
  countrySource: 'text',
  productIdentifier: 'text',
  productDisplayName: 'text',
  productDuration: 'text',
  startTime: 'timestamptz',
  endTime: 'timestamptz',
  gracePeriodEndTime: 'timestamptz',
  effectiveEndTime: 'timestamptz',
  store: 'text',
  isAutoRenewable: 'boolean',
  isTrialPeriod: 'boolean',
  isInIntroOfferPeriod: 'boolean',
  isSandbox: 'boolean',
  priceInUsd: 'numeric',
  purchasePriceInUsd: 'numeric',
  takehomePercentage: 'numeric',
  taxPercentage: 'numeric',
  commissionPercentage: 'numeric',
  storeTransactionId: 'text',
  originalStoreTransactionId: 'text',
  refundedAt: 'timestamptz',
  unsubscribeDetectedAt: 'timestamptz',
  billingIssuesDetectedAt: 'timestamptz',
  purchasedCurrency: 'text',
  priceInPurchasedCurrency: 'numeric',
  purchasePriceInPurchasedCurrency: 'numeric',
  entitlementIdentifiers: 'text[]',
  renewalNumber: 'integer',
  isTrialConversion: 'boolean',
  presentedOffering: 'text',
  ownershipType: 'text',
  offer: 'text',
  offerType: 'text',
  autoResumeTime: 'timestamptz',
  hash: 'text',
};

const subscriptionColumns: Columns = {
  id: 'text',
  kind: 'text',
  customerId: 'text',
  appId: 'text',
  store: 'text',
  environment: 'text',
  productIdentifier: 'text',
  status: 'text',
  givesAccess: 'boolean',
  autoRenewalStatus: 'text',
  startedAt: 'timestamptz',
  currentPeriodStartedAt: 'timestamptz',
  currentPeriodEndsAt: 'timestamptz',
  accessEndsAt: 'timestamptz',
  ownership: 'text',
  originalStoreTransactionId: 'text',
  latestStoreTransactionId: 'text',
  entitlementIdentifiers: 'text[]',
  priceCurrency: 'text',
  priceMicros: 'bigint',
  hash: 'text',
};

const customerColumns: Columns = {
  customerId: 'text',
  originalAppUserId: 'text',
  lastSeenAppUserId: 'text',
  aliases: 'text[]',
  firstSeenAt: 'timestamptz',
  lastSeenAt: 'timestamptz',
  lastSeenPlatform: 'text',
  lastSeenAppVersion: 'text',
  lastSeenCountry: 'text',
  reservedAttributes: 'jsonb',
  customAttributes: 'jsonb',
  experimentId: 'text',
  experimentVariant: 'text',
  hash: 'text',
  txHash: 'text',
};

const namesOf = (columns: Columns): string => Object.keys(columns).map(snake).join(', ');
const valuesOf = (columns: Columns): string =>
  Object.keys(columns)
    .map((name) => `r."${name}"`)
    .join(', ');

/** `$2`: rows as JSON. */
const recordsOf = (columns: Columns): string =>
  `json_to_recordset($2::json) AS r(${Object.entries(columns)
    .map(([name, type]) => `"${name}" ${type}`)
    .join(', ')})`;

const insertInto = (table: string, columns: Columns): string =>
  `INSERT INTO ${table} (project_id, seq, changed_at, ${namesOf(columns)})
   SELECT p.project_id, $3, $4, ${valuesOf(columns)} FROM report_projects p CROSS JOIN ${recordsOf(columns)}
   WHERE p.project_id = $1`;

const storedTransaction = `t.purchase_id AS "purchaseId", t.period_key AS "periodKey", t.product, t.store,
  t.is_sandbox AS "isSandbox", t.store_transaction_id AS "storeTransactionId", t.renewal_number AS "renewalNumber",
  t.hash`;

/** Rows of the customers $2, and of the purchases $3, which may be stored as another customer's. */
export const storedTransactions = statement(
  'reports.stored_transactions',
  `SELECT ${storedTransaction} FROM report_transactions t WHERE t.project_id = $1 AND t.customer_id = ANY ($2::text[])
   UNION SELECT ${storedTransaction} FROM report_transactions t
   WHERE t.project_id = $1 AND t.purchase_id = ANY ($3::text[])`,
);

export const storedSubscriptions = statement(
  'reports.stored_subscriptions',
  `SELECT t.id, t.hash FROM report_subscriptions t WHERE t.project_id = $1 AND t.customer_id = ANY ($2::text[])
   UNION SELECT t.id, t.hash FROM report_subscriptions t WHERE t.project_id = $1 AND t.id = ANY ($3::text[])`,
);

export const storedCustomers = statement(
  'reports.stored_customers',
  `SELECT customer_id AS id, hash, tx_hash AS "txHash" FROM report_customers
   WHERE project_id = $1 AND customer_id = ANY ($2::text[])`,
);

/** Rows with one of the keys in $2. */
export const transactionsWithKeys = statement(
  'reports.transactions_with_keys',
  `SELECT ${storedTransaction}
   FROM json_to_recordset($2::json) AS w (store text, "isSandbox" boolean, "storeTransactionId" text, "renewalNumber" int)
   JOIN report_transactions t ON t.project_id = $1 AND t.store = w.store AND t.is_sandbox = w."isSandbox"
     AND t.store_transaction_id = w."storeTransactionId" AND t.renewal_number = w."renewalNumber"`,
);

/** The next number, and a time for it that never precedes that of an earlier number. */
export const nextSeq = statement(
  'reports.next_seq',
  `UPDATE report_projects
   SET seq = seq + 1, changed_at = greatest(changed_at, date_trunc('milliseconds', statement_timestamp()))
   WHERE project_id = $1 RETURNING seq, changed_at AS "changedAt"`,
);

const rowsOf = `unnest($2::text[], $3::text[], $4::text[]) AS d (purchase_id, period_key, product)`;
const isRow = `t.project_id = $1 AND t.purchase_id = d.purchase_id AND t.period_key = d.period_key
  AND t.product = d.product`;

export const deleteTransactions = longStatement(
  'reports.delete_transactions',
  `DELETE FROM report_transactions t USING ${rowsOf} WHERE ${isRow}`,
);

/** Frees the ids of rows that get another one. */
export const freeIds = statement(
  'reports.free_ids',
  `UPDATE report_transactions t
   SET store_transaction_id = t.store_transaction_id || ' ' || t.purchase_id || ' ' || t.period_key || ' ' || t.product
   FROM ${rowsOf} WHERE ${isRow}`,
);

export const setIds = statement(
  'reports.set_ids',
  `UPDATE report_transactions t SET store_transaction_id = n.id, seq = $6, changed_at = $7
   FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS n (purchase_id, period_key, product, id)
   WHERE t.project_id = $1 AND t.purchase_id = n.purchase_id AND t.period_key = n.period_key AND t.product = n.product`,
);

export const insertTransactions = longStatement(
  'reports.insert_transactions',
  insertInto('report_transactions', transactionColumns),
);

export const deleteSubscriptions = statement(
  'reports.delete_subscriptions',
  'DELETE FROM report_subscriptions WHERE project_id = $1 AND id = ANY ($2::text[])',
);

export const insertSubscriptions = statement(
  'reports.insert_subscriptions',
  insertInto('report_subscriptions', subscriptionColumns),
);

export const deleteCustomers = statement(
  'reports.delete_customers',
  'DELETE FROM report_customers WHERE project_id = $1 AND customer_id = ANY ($2::text[])',
);

const updatedCustomerColumns = Object.keys(customerColumns)
  .map(snake)
  .filter((name) => name !== 'customer_id')
  .map((name) => `${name} = excluded.${name}`)
  .join(', ');

/** Columns of transactions have a number of their own, so that a new alias does not change a customer's transactions. */
export const saveCustomers = statement(
  'reports.save_customers',
  `INSERT INTO report_customers AS c (project_id, seq, changed_at, tx_seq, tx_changed_at, ${namesOf(customerColumns)})
   SELECT p.project_id, $3, $4, $3, $4, ${valuesOf(customerColumns)}
   FROM report_projects p CROSS JOIN ${recordsOf(customerColumns)} WHERE p.project_id = $1
   ON CONFLICT (project_id, customer_id) DO UPDATE SET seq = excluded.seq, changed_at = excluded.changed_at,
     tx_seq = CASE WHEN c.tx_hash = excluded.tx_hash THEN c.tx_seq ELSE excluded.tx_seq END,
     tx_changed_at = CASE WHEN c.tx_hash = excluded.tx_hash THEN c.tx_changed_at ELSE excluded.tx_changed_at END,
     ${updatedCustomerColumns}`,
);

/** $4: keys as JSON, by data set. */
export const insertDeletions = statement(
  'reports.insert_deletions',
  `INSERT INTO report_deletions (project_id, seq, dataset, key, deleted_at)
   SELECT p.project_id, $2, r.dataset, r.key, $3
   FROM report_projects p CROSS JOIN json_to_recordset($4::json) AS r (dataset text, key jsonb) WHERE p.project_id = $1`,
);

export const deleteOldDeletions = statement(
  'reports.delete_old_deletions',
  "DELETE FROM report_deletions WHERE project_id = $1 AND deleted_at < now() - $2 * interval '1 day'",
);
