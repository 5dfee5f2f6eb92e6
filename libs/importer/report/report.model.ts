import type { CustomerError, CustomerNote, SkippedItem } from '../state/state.model.js';

/** Results of an import, as printed by `--json`. Times are epoch milliseconds. */
export interface ImportReport {
  kind: 'import';
  version: 1;
  dry_run: boolean;
  source: { project: string };
  target: { url: string; project: string };
  pass: number;
  complete: boolean;
  started_at: number;
  finished_at: number;
  catalog: CatalogReport;
  public_keys: { set: number; kept: number; failed: number };
  customers: {
    read: number;
    created: number;
    updated: number;
    merged: number;
    gone: number;
    failed: number;
    found_by_catch_up: number;
  };
  subscriptions: number;
  purchases: number;
  transactions: number;
  balances: number;
  needs_token_refresh: number;
  unconfirmed_original_ids: number;
  google_tokens: { rows: number; used: number; unmatched: number };
  credentials_missing: { app_id: string; name: string; type: string }[];
  skipped: SkippedItem[];
  notes: CustomerNote[];
  errors: CustomerError[];
  requests: { source: number; target: number; rate_limited_seconds: number };
}

export interface CatalogCounts {
  created: number;
  matched: number;
  updated: number;
}

export interface CatalogReport {
  apps: CatalogCounts;
  products: CatalogCounts;
  entitlements: CatalogCounts;
  offerings: CatalogCounts;
  packages: CatalogCounts;
  virtual_currencies: CatalogCounts;
}
