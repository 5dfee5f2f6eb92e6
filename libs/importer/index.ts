export type {
  ImportAttribute,
  ImportAutoRenewalStatus,
  ImportCustomer,
  ImportPrice,
  ImportProductType,
  ImportPurchase,
  ImportSubscription,
  ImportSubscriptionStatus,
  ImportTransaction,
} from './customer-item.js';
export {
  EXIT_DONE,
  EXIT_FAILED,
  EXIT_USAGE,
  ImportFailed,
  Interrupted,
  WrongUsage,
} from './command/outcome.js';
export type { Runtime } from './command/runtime.js';
export type { AskSecret, Environment, Flags } from './command/settings.js';
export { askHidden } from './command/hidden-prompt.js';
export { fileKinds } from './files/file-source.js';
export { runPlan } from './plan/run-plan.js';
export { runImport } from './run/run-import.js';
export { runVerify } from './verify/run-verify.js';
