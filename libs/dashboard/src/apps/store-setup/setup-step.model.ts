import type { SetupHealth } from '../../frame/health/setup-health.queries.js';
import type { App, CredentialsCheck, StoreSettings } from '../apps.queries.js';
import type { FieldName } from './setup-fields.js';

export type StepId =
  | `apple${'Key' | 'Address' | 'Received' | 'Secret'}`
  | `google${'Topic' | 'Received'}`
  | `amazon${'Package' | 'Secret' | 'Address' | 'Received'}`
  | `paddle${'Key' | 'Address' | 'Secret' | 'Received' | 'Customers'}`
  | `roku${'Key' | 'Address' | 'Signing' | 'Received' | 'Channel' | 'Tests'}`
  | `stripe${'Key' | 'Address' | 'Secret' | 'Received' | 'Account'}`
  | 'bundle'
  | 'connectKey'
  | 'refunds'
  | 'package'
  | 'account'
  | 'push'
  | 'topic'
  | 'receipts'
  | 'forwarding'
  | 'renewals';

export interface StepState {
  /** `unreported`: the server does not report whether it is set. */
  kind: 'todo' | 'saved' | 'verified' | 'failed' | 'waiting' | 'unreported';
  atMs?: number;
  /** The store's message. */
  words?: string;
}

export interface SetupStep {
  id: StepId;
  state: StepState;
  isOptional: boolean;
  /** The configured value, if it may be displayed. */
  detail: string | null;
  /** Fields of its form, with the saved values; secrets are always empty. */
  fields: Partial<Record<FieldName, string>>;
  /** Whether the store can check the input before it is saved. */
  isChecked: boolean;
  /** Whether it contains a credential, which can be checked and removed. */
  isCredential: boolean;
  copy?: 'address' | 'token';
}

export interface SetupFacts {
  app: App;
  settings: StoreSettings;
  health: SetupHealth['apps'][number] | undefined;
  /** Check of the saved credentials since the page was opened. */
  check: CredentialsCheck | undefined;
}
