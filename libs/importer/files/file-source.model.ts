import type { Store } from '../../engine/index.js';

/** A row, or an item of a customer, that was not imported. */
export interface Skipped {
  kind: 'row' | 'subscription' | 'customer';
  /** A customer's id, or `file:line`. */
  id: string;
  reason: string;
}

export interface FileSourceOptions {
  files: string[];
  /** The project's app for purchases from a store; null if there is none. */
  appIdOf: (store: Store) => string | null;
  nowMs: number;
  onSkipped: (skipped: Skipped) => void;
  /** Folder for sorting; defaults to the system's. */
  temporaryFolder?: string;
  charactersInMemory?: number;
}
