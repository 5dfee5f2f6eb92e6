export { customerStatus, type StatedSubscription } from './customer-status.js';
export type {
  Call,
  CallResponse,
  Category,
  CustomerStatus,
  Definition,
  Delivery,
  DestinationType,
  FrozenCustomer,
  Plan,
  Settings,
  SettingsProblem,
  TestContext,
  Verdict,
} from './definition.js';
export { awaitedAttributes, definitionOf, definitions, isDestinationType } from './destinations.js';
export {
  type DestinationEvent,
  type DigestMessage,
  eventTypesOfKind,
  isGrant,
  isOptionalKind,
  type Kind,
  kindOf,
  kinds,
} from './event.js';
export { changedEventNames, checkEventNames, type EventNames } from './settings/event-names.js';
export { maskerOf, maskSecrets, secretsOf } from './settings/masking.js';
export {
  type Destination,
  type Occurrence,
  planDelivery,
  sentEventTypes,
  sentKinds,
} from './plan-delivery.js';
export { type Reason, type ReasonFacts, reasonText, waitUntilMs } from './reasons.js';
export { type RevenueMode, revenueOf } from './revenue.js';
export {
  changedSettings,
  checkSettings,
  namesOfSetSecrets,
  normalizedSettings,
  secretNames,
  secretToEnterAgain,
} from './settings/settings-check.js';
export type { SettingsSchema } from './settings/settings-schema.js';
export { SAMPLE_AT_MS, sampleEvent } from './sample-event.js';
export { verdictOf } from './verdicts.js';
