import { Foundation1764700000000 } from './1764700000000-foundation.js';
import { AccountsAndSignIn1764800000000 } from './1764800000000-accounts-and-sign-in.js';
import { Dashboard1765000000000 } from './1765000000000-dashboard.js';
import { Import1766000000000 } from './1766000000000-import.js';
import { ImportKeysIndex1766000000001 } from './1766000000001-import-keys-index.js';
import { ImportStatus1766100000000 } from './1766100000000-import-status.js';
import { ImportStatusIndexes1766100000001 } from './1766100000001-import-status-indexes.js';
import { Oauth1766200000000 } from './1766200000000-oauth.js';
import { Enterprise1767000000000 } from './1767000000000-enterprise.js';
import { ScimUserEmails1767200000000 } from './1767200000000-scim-user-emails.js';
import { Charts1767600000000 } from './1767600000000-charts.js';
import { EmailDomains1768000000000 } from './1768000000000-email-domains.js';
import { ChartChanges1768100000000 } from './1768100000000-chart-changes.js';
import { SharedStoreBudgets1768300000000 } from './1768300000000-shared-store-budgets.js';
import { Targeting1768500000000 } from './1768500000000-targeting.js';
import { ExperimentResults1768550000000 } from './1768550000000-experiment-results.js';
import { Redemption1768600000000 } from './1768600000000-redemption.js';
import { ChartAttributes1768700000000 } from './1768700000000-chart-attributes.js';
import { ChartTrialsIndex1768950000000 } from './1768950000000-chart-trials-index.js';
import { SsoSubjects1769100000000 } from './1769100000000-sso-subjects.js';
import { PublicKeyOwners1769200000000 } from './1769200000000-public-key-owners.js';
import { AccountsAndRedemption1769300000000 } from './1769300000000-accounts-and-redemption.js';
import { RefusedRefundAnswers1769700000000 } from './1769700000000-refused-refund-answers.js';
import { ExternalPurchaseTokens1769710000000 } from './1769710000000-external-purchase-tokens.js';
import { FirstSeen1769800000000 } from './1769800000000-first-seen.js';
import { ProjectLocations1769900000000 } from './1769900000000-project-locations.js';
import { PreparedAnswers1770030000000 } from './1770030000000-prepared-answers.js';
import { RentalPurchases1770050000000 } from './1770050000000-rental-purchases.js';
import { ImportGaps1770080000000 } from './1770080000000-import-gaps.js';
import { ImportGapsIndex1770080000001 } from './1770080000001-import-gaps-index.js';
import { ErasedPurchases1796500000000 } from './1796500000000-erased-purchases.js';
import { AssignedPurchases1796610000000 } from './1796610000000-assigned-purchases.js';
import { StoreUnknownValues1796620000000 } from './1796620000000-store-unknown-values.js';
import { RefundRequests1796650000000 } from './1796650000000-refund-requests.js';
import { RefundDataConsent1796650000001 } from './1796650000001-refund-data-consent.js';
import { RefundPolicies1796660000000 } from './1796660000000-refund-policies.js';
import { ExternalPurchaseTokenLists1796680000000 } from './1796680000000-external-purchase-token-lists.js';
import { ExternalPurchaseBindings1796680000001 } from './1796680000001-external-purchase-bindings.js';
import { ExternalPurchaseReports1796680000002 } from './1796680000002-external-purchase-reports.js';
import { RefusedExternalReports1796680000003 } from './1796680000003-refused-external-reports.js';
import { OutsidePurchaseTaxRates1796680000004 } from './1796680000004-outside-purchase-tax-rates.js';
import { RetentionMessages1796700000000 } from './1796700000000-retention-messages.js';
import { RetentionRules1796700000001 } from './1796700000001-retention-rules.js';
import { ExternalReportLookups1796720000000 } from './1796720000000-external-report-lookups.js';
import { UnverifiedRefundRequests1796730000000 } from './1796730000000-unverified-refund-requests.js';
import { PlayCancellations1796740000000 } from './1796740000000-play-cancellations.js';
import { SealedNotifications1796740000001 } from './1796740000001-sealed-notifications.js';
import { CustomerNotes1796750000000 } from './1796750000000-customer-notes.js';
import { ListedCustomers1796770000000 } from './1796770000000-listed-customers.js';
import { CustomerSearchIndexes1796770000001 } from './1796770000001-customer-search-indexes.js';
import { SavedCustomerLists1796770000002 } from './1796770000002-saved-customer-lists.js';
import { ChartNotes1796780000000 } from './1796780000000-chart-notes.js';
import { PurchaseCountries1796810000000 } from './1796810000000-purchase-countries.js';
import { SavedCharts1796820000000 } from './1796820000000-saved-charts.js';
import { CustomerListExports1796830000000 } from './1796830000000-customer-list-exports.js';
import { ExactChartFacts1796840000000 } from './1796840000000-exact-chart-facts.js';
import { OneRollup1796840000001 } from './1796840000001-one-rollup.js';
import { ChartPieces1796850000000 } from './1796850000000-chart-pieces.js';
import { OneMark1796900000000 } from './1796900000000-one-mark.js';
import { ChartCohortDays1796910000000 } from './1796910000000-chart-cohort-days.js';
import { ChartActiveDays1796920000000 } from './1796920000000-chart-active-days.js';
import { SdkEvents1796950000000 } from './1796950000000-sdk-events.js';
import { ChartCohortSums1797000000000 } from './1797000000000-chart-cohort-sums.js';
import { Paywalls1797010000000 } from './1797010000000-paywalls.js';
import { ReplacedMetricTables1797030000000 } from './1797030000000-replaced-metric-tables.js';
import { PaywallViewCounts1797040000000 } from './1797040000000-paywall-view-counts.js';
import { MediaAssets1797050000000 } from './1797050000000-media-assets.js';
import { Digests1797070000000 } from './1797070000000-digests.js';
import { IntegrationTypes1797060000000 } from './1797060000000-integration-types.js';
import { CircuitHolds1797060000001 } from './1797060000001-circuit-holds.js';
import { DeliveryReasons1797060000002 } from './1797060000002-delivery-reasons.js';
import { AttemptSteps1797060000003 } from './1797060000003-attempt-steps.js';
import { WaitingDeliveriesIndex1797060000004 } from './1797060000004-waiting-deliveries-index.js';
import { DestinationAlerts1797100000000 } from './1797100000000-destination-alerts.js';
import { ReplayedDeliveries1797100000001 } from './1797100000001-replayed-deliveries.js';
import { ProductPrices1797110000000 } from './1797110000000-product-prices.js';
import { ReportRows1797120000000 } from './1797120000000-report-rows.js';
import { Exports1797130000000 } from './1797130000000-exports.js';
import { ExportAlerts1797130000001 } from './1797130000001-export-alerts.js';
import { SqlAccess1797140000000 } from './1797140000000-sql-access.js';
import { SqlUserAlerts1797140000001 } from './1797140000001-sql-user-alerts.js';
import { ProjectAnchors1797145000000 } from './1797145000000-project-anchors.js';
import { RedemptionRoutesExpire1797146000000 } from './1797146000000-redemption-routes-expire.js';
import { RedemptionRoutesIndex1797146000001 } from './1797146000001-redemption-routes-index.js';
import { RowTriggers1797160000000 } from './1797160000000-row-triggers.js';
import { ListCustomersOneByOne1797165000000 } from './1797165000000-list-customers-one-by-one.js';
import { CredentialUses1797190000000 } from './1797190000000-credential-uses.js';
import { DropReferenceTriggers1797195000000 } from './1797195000000-drop-reference-triggers.js';

/** Every migration, oldest first. */
export const migrations = [
  Foundation1764700000000,
  AccountsAndSignIn1764800000000,
  Dashboard1765000000000,
  Import1766000000000,
  ImportKeysIndex1766000000001,
  ImportStatus1766100000000,
  ImportStatusIndexes1766100000001,
  Oauth1766200000000,
  Enterprise1767000000000,
  ScimUserEmails1767200000000,
  Charts1767600000000,
  EmailDomains1768000000000,
  ChartChanges1768100000000,
  SharedStoreBudgets1768300000000,
  Targeting1768500000000,
  ExperimentResults1768550000000,
  Redemption1768600000000,
  ChartAttributes1768700000000,
  ChartTrialsIndex1768950000000,
  SsoSubjects1769100000000,
  PublicKeyOwners1769200000000,
  AccountsAndRedemption1769300000000,
  RefusedRefundAnswers1769700000000,
  ExternalPurchaseTokens1769710000000,
  FirstSeen1769800000000,
  ProjectLocations1769900000000,
  PreparedAnswers1770030000000,
  RentalPurchases1770050000000,
  ImportGaps1770080000000,
  ImportGapsIndex1770080000001,
  ErasedPurchases1796500000000,
  AssignedPurchases1796610000000,
  StoreUnknownValues1796620000000,
  RefundRequests1796650000000,
  RefundDataConsent1796650000001,
  RefundPolicies1796660000000,
  ExternalPurchaseTokenLists1796680000000,
  ExternalPurchaseBindings1796680000001,
  ExternalPurchaseReports1796680000002,
  RefusedExternalReports1796680000003,
  OutsidePurchaseTaxRates1796680000004,
  RetentionMessages1796700000000,
  RetentionRules1796700000001,
  ExternalReportLookups1796720000000,
  UnverifiedRefundRequests1796730000000,
  PlayCancellations1796740000000,
  SealedNotifications1796740000001,
  CustomerNotes1796750000000,
  ListedCustomers1796770000000,
  CustomerSearchIndexes1796770000001,
  SavedCustomerLists1796770000002,
  ChartNotes1796780000000,
  PurchaseCountries1796810000000,
  SavedCharts1796820000000,
  CustomerListExports1796830000000,
  ExactChartFacts1796840000000,
  OneRollup1796840000001,
  ChartPieces1796850000000,
  OneMark1796900000000,
  ChartCohortDays1796910000000,
  ChartActiveDays1796920000000,
  SdkEvents1796950000000,
  ChartCohortSums1797000000000,
  Paywalls1797010000000,
  ReplacedMetricTables1797030000000,
  PaywallViewCounts1797040000000,
  MediaAssets1797050000000,
  IntegrationTypes1797060000000,
  CircuitHolds1797060000001,
  DeliveryReasons1797060000002,
  AttemptSteps1797060000003,
  WaitingDeliveriesIndex1797060000004,
  Digests1797070000000,
  DestinationAlerts1797100000000,
  ReplayedDeliveries1797100000001,
  ProductPrices1797110000000,
  ReportRows1797120000000,
  Exports1797130000000,
  ExportAlerts1797130000001,
  SqlAccess1797140000000,
  SqlUserAlerts1797140000001,
  ProjectAnchors1797145000000,
  RedemptionRoutesExpire1797146000000,
  RedemptionRoutesIndex1797146000001,
  RowTriggers1797160000000,
  ListCustomersOneByOne1797165000000,
  CredentialUses1797190000000,
  DropReferenceTriggers1797195000000,
];
