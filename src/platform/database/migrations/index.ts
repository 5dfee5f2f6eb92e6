import { Foundation1764000000000 } from './1764000000000-foundation.js';
import { CatalogJson1764100000000 } from './1764100000000-catalog-json.js';
import { AuditLogs1764110000000 } from './1764110000000-audit-logs.js';
import { VirtualCurrencies1764120000000 } from './1764120000000-virtual-currencies.js';
import { Metrics1764200000000 } from './1764200000000-metrics.js';
import { ProjectDeletion1764210000000 } from './1764210000000-project-deletion.js';
import { IdempotencyAndRateLimits1764220000000 } from './1764220000000-idempotency-and-rate-limits.js';
import { CustomerLists1764230000000 } from './1764230000000-customer-lists.js';
import { CustomerRecords1764250000000 } from './1764250000000-customer-records.js';
import { WebhookLog1764260000000 } from './1764260000000-webhook-log.js';
import { StoreNotifications1764300000000 } from './1764300000000-store-notifications.js';
import { StoreRefreshes1764300000001 } from './1764300000001-store-refreshes.js';
import { DueWork1764400000000 } from './1764400000000-due-work.js';
import { TestClocks1764400000001 } from './1764400000001-test-clocks.js';
import { CurrencyRefunds1764410000000 } from './1764410000000-currency-refunds.js';
import { StoreManagementUrls1764420000000 } from './1764420000000-store-management-urls.js';
import { StoreChores1764430000000 } from './1764430000000-store-chores.js';
import { PartitionBounds1764450000000 } from './1764450000000-partition-bounds.js';
import { MonthlyPartitions1764450000001 } from './1764450000001-monthly-partitions.js';
import { StorePolling1764460000000 } from './1764460000000-store-polling.js';
import { ErasureReceipts1764500000090 } from './1764500000090-erasure-receipts.js';
import { SelfChecks1764500000095 } from './1764500000095-self-checks.js';
import { NotificationCopies1764500000110 } from './1764500000110-notification-copies.js';
import { WaitingNotificationCopies1764500000111 } from './1764500000111-waiting-notification-copies.js';
import { CustomersOfKeptAnswers1764500000130 } from './1764500000130-customers-of-kept-answers.js';
import { KeptAnswersOfSeveral1764500000131 } from './1764500000131-kept-answers-of-several.js';
import { OneTimePurchasePolling1764500000140 } from './1764500000140-one-time-purchase-polling.js';
import { GrantsOfEntitlements1764500000180 } from './1764500000180-grants-of-entitlements.js';
import { MassExtensionRepeats1764500000190 } from './1764500000190-mass-extension-repeats.js';
import { MetricsOfPlans1764500000191 } from './1764500000191-metrics-of-plans.js';
import { KeysOfEventsAndLedger1764500000200 } from './1764500000200-keys-of-events-and-ledger.js';
import { EventsAndLedgerByMonth1764500000201 } from './1764500000201-events-and-ledger-by-month.js';
import { NotificationKeys1764500000210 } from './1764500000210-notification-keys.js';
import { NotificationPartitions1764500000211 } from './1764500000211-notification-partitions.js';
import { EventsNotedTogether1764500000220 } from './1764500000220-events-noted-together.js';
import { LastEventTimes1764600000100 } from './1764600000100-last-event-times.js';
import { NotificationListeners1764600000200 } from './1764600000200-notification-listeners.js';
import { CustomersByDay1764600000500 } from './1764600000500-customers-by-day.js';
import { MetricHours1764600000501 } from './1764600000501-metric-hours.js';
import { LeasesByDatabaseClock1764600000510 } from './1764600000510-leases-by-database-clock.js';

/** Every migration, oldest first. */
export const migrations = [
  Foundation1764000000000,
  CatalogJson1764100000000,
  AuditLogs1764110000000,
  VirtualCurrencies1764120000000,
  Metrics1764200000000,
  ProjectDeletion1764210000000,
  IdempotencyAndRateLimits1764220000000,
  CustomerLists1764230000000,
  CustomerRecords1764250000000,
  WebhookLog1764260000000,
  StoreNotifications1764300000000,
  StoreRefreshes1764300000001,
  DueWork1764400000000,
  TestClocks1764400000001,
  CurrencyRefunds1764410000000,
  StoreManagementUrls1764420000000,
  StoreChores1764430000000,
  PartitionBounds1764450000000,
  MonthlyPartitions1764450000001,
  StorePolling1764460000000,
  ErasureReceipts1764500000090,
  SelfChecks1764500000095,
  NotificationCopies1764500000110,
  WaitingNotificationCopies1764500000111,
  CustomersOfKeptAnswers1764500000130,
  KeptAnswersOfSeveral1764500000131,
  OneTimePurchasePolling1764500000140,
  GrantsOfEntitlements1764500000180,
  MassExtensionRepeats1764500000190,
  MetricsOfPlans1764500000191,
  KeysOfEventsAndLedger1764500000200,
  EventsAndLedgerByMonth1764500000201,
  NotificationKeys1764500000210,
  NotificationPartitions1764500000211,
  EventsNotedTogether1764500000220,
  LastEventTimes1764600000100,
  NotificationListeners1764600000200,
  CustomersByDay1764600000500,
  MetricHours1764600000501,
  LeasesByDatabaseClock1764600000510,
];
