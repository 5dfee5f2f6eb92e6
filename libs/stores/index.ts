export type {
  Installation,
  KeysOfOrders,
  NamedPurchase,
  PostedReceipt,
  Refreshed,
  Settle,
  StoreAccount,
  StoreAdapter,
  StoreContext,
  StoreProduct,
  UnknownValue,
  VerificationFailure,
  Verified,
  VerifiedPurchase,
} from './contract.js';
export { type Act, acts, actSteps, type ActTerms } from './test-store/acts.js';
export type { TimelineStep } from './test-store/timeline.js';
export { saleRefunded, soldOnce } from './test-store/sales.js';
export {
  ImpossibleScenario,
  latestStart,
  type Scenario,
  scenarioLife,
  scenarios,
} from './test-store/scenarios.js';
export { refunded, type Terms } from './test-store/statements.js';
export { type Plan, planOutcomes, plannedStatement, type PlanTerms } from './test-store/plan.js';
export { defaultRenewals, renewalModes, type RenewalSettings } from './test-store/renewal-settings.js';
export { testStore, testStorePurchaseTime } from './test-store/test-store.js';
export {
  type AppleApp,
  type AppleEnvironment,
  appleEnvironmentOf,
  environmentOf,
  type InAppPurchaseKey,
} from './apple/apple-app.js';
export { CircuitBreaker, type WatchCall } from './circuit-breaker.js';
export { withPossibleTimes } from './store-times.js';
export { AppStore } from './apple/app-store.js';
export type { AppleServices } from './apple/apple-services.js';
export { AccountPurchases } from './apple/purchases.js';
export type { SignedRenewal, SignedTransaction } from './apple/signed-data.js';
export { noContext } from './apple/transaction-facts.js';
export { AppleVerifier } from './apple/apple-verifier.js';
export { NotGenuine } from './apple/not-genuine.js';
export { type AppleNotification, readNotification } from './apple/notification.js';
export { ReceiptReader } from './apple/receipt-reader.js';
export {
  type ExternalPurchaseToken,
  MAX_EXTERNAL_TOKEN,
  readExternalPurchaseToken,
} from './apple/external-purchase-token.js';
export type { AppleRefundRequest } from './apple/refund-notices.js';
export { type AppleRefund, type AppleRefundAnswer, appleRefundAnswer } from './apple/refund-answer.js';
export {
  type GoogleRefund,
  googleRefundAnswer,
  MAX_USAGE_EVENTS,
  type RefundReview,
  reviewDeadline,
  type UsageEvent,
  voidedOutcome,
} from './google/refund-review.js';
export type { AnswerResult } from './refunds/answer-result.js';
export { consumedShare, type GrantedCurrency, type PurchaseUse } from './refunds/consumed-share.js';
export {
  type AnswerPreference,
  answerPreferences,
  type DeliveryStatus,
  deliveryStatuses,
  type LifetimeSpending,
  type PurchaseKind,
  purchaseKinds,
} from './refunds/refund-answer.js';
export type { RefundOutcomeReport } from './refunds/refund-report.js';
export { sendGoogleReport } from './google/external-transactions.js';
export type { ReportOutcome } from './google/report-outcome.js';
export { AppleServerApi } from './apple/server-api.js';
export {
  isUuid,
  MAX_RETENTION_URL,
  type RetentionMessage,
  retentionMessageLimits,
  retentionMessageStates,
  type RetentionTest,
  retentionTestStates,
} from './apple/retention-messages.js';
export { appleApiUrls } from './apple/server-api.client.js';
export { AppleCallFailed, failedAnswer, keyFields, namesUnknownToken } from './apple/server-api.errors.js';
export {
  type RetentionAnswer,
  retentionAnswerBody,
  signOffer,
  type SignedRetentionRequest,
} from './apple/retention-request.js';
export { type PaddleServices, PaddleApi, type PaddleObject } from './paddle/paddle-api.js';
export { noPathCodes, PaddleCallFailed } from './paddle/paddle-call-failed.js';
export { type PaddleApp, paddleKeyEnvironment, PaddleStore } from './paddle/paddle-store.js';
export { eventOf, type PaddleEvent, readPaddleEvent } from './paddle/webhook.js';
export type { SoldOnce } from './sold-once.js';
export { StripeApi, type StripeServices } from './stripe/stripe-api.js';
export { StripeCallFailed } from './stripe/stripe-call-failed.js';
export { type StripeApp, StripeStore } from './stripe/stripe-store.js';
export { readStripeEvent, type StripeNotification } from './stripe/webhook.js';
export { type AmazonApp, AmazonStore } from './amazon/amazon-store.js';
export { type AmazonNotification, readAmazonNotification } from './amazon/notification.js';
export { AMAZON_RECEIPTS_URL, type AmazonServices } from './amazon/receipt-service.js';
export { CertificateUnavailable, readSnsMessage, type SnsMessage, SnsVerifier } from './amazon/sns.js';
export type { RokuNotification } from './roku/notification.js';
export { readRokuPush, type RokuPush, RokuPushVerifier, RokuUnsigned } from './roku/push-message.js';
export { RokuKeysUnavailable } from './roku/roku-keys.js';
export { ROKU_API_URL, type RokuServices } from './roku/roku-api.js';
export { RokuCallFailed } from './roku/roku-call-failed.js';
export type { KnownRokuPurchase } from './roku/roku-reader.js';
export { type RokuApp, RokuStore } from './roku/roku-store.js';
export { transactionKey as rokuTransactionKey } from './roku/transaction-id.js';
export { GooglePlay, type GoogleServices, type PlayPurchase } from './google/google-play.js';
export type { PlayHints } from './google/hints.js';
export { unknownInVoided } from './google/unknown-in-answers.js';
export { tokenOfKey } from './google/product-facts.js';
export { verificationFailure } from './google/verification-failure.js';
export { GoogleClients, googleUrls } from './google/google-clients.js';
export { type Acknowledgement, PlayApi } from './google/play-api.js';
export type { ProductPurchase } from './google/play-resources.js';
export { type PlayApp, readServiceAccount, type ServiceAccount } from './google/play-app.js';
export { credentialsHelp, failedReview, PlayCallFailed, refusesApp } from './google/play-errors.js';
export type { VoidedPurchase } from './google/play-resources.js';
export {
  type DeveloperNotification,
  NoNotification,
  notificationTypes,
  readPush,
  type PushMessage,
  type RefundReviewRequest,
} from './google/developer-notification.js';
export { NotFromGoogle, PushTokens } from './google/push-tokens.js';
export {
  type ListedProduct,
  type ListedState,
  listedStates,
  MAX_LISTED,
  TooManyListed,
} from './listings/listed-product.js';
export { listGoogleProducts } from './listings/google-listing.js';
export { listStripeProducts } from './listings/stripe-listing.js';
export { listPaddleProducts } from './listings/paddle-listing.js';
export { listAppStoreProducts } from './listings/app-store-listing.js';
export { connectApiUrl, ConnectApi, type ConnectKey, type ConnectServices } from './listings/connect-api.js';
export { ConnectCallFailed } from './listings/connect-call-failed.js';
export { isSameDuration } from './listings/periods.js';
