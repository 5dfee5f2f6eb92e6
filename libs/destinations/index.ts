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
export { type DestinationEvent, eventTypesOfKind, isGrant, type Kind, kindOf } from './event.js';
export type { Reason } from './reasons.js';
export type { SettingsSchema } from './settings-schema.js';
