import type { Store } from '../../engine/index.js';

/** A row, or an item of a customer, that is not imported. */
export interface Skipped {
  kind: 'row' | 'subscription' | 'customer';
  /** Customer, or `file:line`. */
  id: string;
  reason: string;
}

export interface FileSourceOptions {
  files: string[];
  /** The app of the project that takes purchases of a store; null if none does. */
  appIdOf: (store: Store) => string | null;
  nowMs: number;
  onSkipped: (skipped: Skipped) => void;
  /** For sorting; by default the system's. */
  temporaryFolder?: string;
  charactersInMemory?: number;
}
