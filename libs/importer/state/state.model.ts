export type ImportPhase = 'catalog' | 'customers' | 'catch_up' | 'done';

/** Maps source ids to target ids. */
export type IdMap = Record<string, string>;

export interface CatalogMaps {
  apps: IdMap;
  products: IdMap;
  entitlements: IdMap;
  offerings: IdMap;
  packages: IdMap;
  currencies: IdMap;
}

/** Totals of a pass. A resumed pass continues counting. */
export interface ImportCounts {
  read: number;
  created: number;
  updated: number;
  merged: number;
  gone: number;
  failed: number;
  found_by_catch_up: number;
  subscriptions: number;
  purchases: number;
  transactions: number;
  balances: number;
  needs_token_refresh: number;
  google_tokens_used: number;
  requests_source: number;
  requests_target: number;
  rate_limited_ms: number;
}

export interface CustomerError {
  id: string;
  message: string;
}

export interface CustomerNote {
  id: string;
  note: string;
}

export interface SkippedItem {
  kind: string;
  id: string;
  reason: string;
}

export interface Place {
  url: string;
  project: string;
}

/** The state file, version 1. It never contains a key. */
export interface ImportState {
  version: 1;
  source: Place;
  target: Place;
  created_at: number;
  updated_at: number;
  started_at: number;
  pass: number;
  phase: ImportPhase;
  next_page: string | null;
  pages_done: number;
  /** Number of customers in the last finished pass, which a later pass expects. */
  expected: number | null;
  catalog: CatalogMaps;
  counts: ImportCounts;
  errors: CustomerError[];
  notes: CustomerNote[];
  skipped: SkippedItem[];
  notes_truncated: boolean;
  google_tokens: { file: string; sha256: string; used: number } | null;
}

export const noCounts: ImportCounts = {
  read: 0,
  created: 0,
  updated: 0,
  merged: 0,
  gone: 0,
  failed: 0,
  found_by_catch_up: 0,
  subscriptions: 0,
  purchases: 0,
  transactions: 0,
  balances: 0,
  needs_token_refresh: 0,
  google_tokens_used: 0,
  requests_source: 0,
  requests_target: 0,
  rate_limited_ms: 0,
};

export function newState(source: Place, target: Place, nowMs: number): ImportState {
  return {
    version: 1,
    source,
    target,
    created_at: nowMs,
    updated_at: nowMs,
    started_at: nowMs,
    pass: 1,
    phase: 'catalog',
    next_page: null,
    pages_done: 0,
    expected: null,
    catalog: { apps: {}, products: {}, entitlements: {}, offerings: {}, packages: {}, currencies: {} },
    counts: { ...noCounts },
    errors: [],
    notes: [],
    skipped: [],
    notes_truncated: false,
    google_tokens: null,
  };
}

/** Returns the pass that follows a finished one. */
export function nextPass(done: ImportState, nowMs: number): ImportState {
  const fresh = newState(done.source, done.target, nowMs);
  return {
    ...fresh,
    created_at: done.created_at,
    pass: done.pass + 1,
    expected: done.counts.read,
    catalog: done.catalog,
  };
}
