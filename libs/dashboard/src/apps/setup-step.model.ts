import type { SetupHealth } from '../frame/setup-health.queries.js';
import type { App, CredentialsCheck, StoreSettings } from './apps.queries.js';
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
  /** `unreported`: the server does not say whether it is set. */
  kind: 'todo' | 'saved' | 'verified' | 'failed' | 'waiting' | 'unreported';
  atMs?: number;
  /** The store's words. */
  words?: string;
}

export interface SetupStep {
  id: StepId;
  state: StepState;
  isOptional: boolean;
  /** What is set, as far as it may be shown. */
  detail: string | null;
  /** Fields of its form, with what is saved; secrets are always empty. */
  fields: Partial<Record<FieldName, string>>;
  /** The store can be asked about what is typed before it is saved. */
  isChecked: boolean;
  /** It holds a credential, which can be asked about and removed. */
  isCredential: boolean;
  copy?: 'address' | 'token';
}

export interface SetupFacts {
  app: App;
  settings: StoreSettings;
  health: SetupHealth['apps'][number] | undefined;
  /** Of the saved credentials, since the page was opened. */
  check: CredentialsCheck | undefined;
}
