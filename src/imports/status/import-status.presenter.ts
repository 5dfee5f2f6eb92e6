import { awaitingTokenIn } from './import-counts.js';
import type { ImportStatusDto } from './import-status.dto.js';
import type { ImportStatus } from './import-status.service.js';

export function presentImportStatus({ counts, lastImportAtMs }: ImportStatus): ImportStatusDto {
  return {
    object: 'import_status',
    customers: counts.customers,
    subscriptions: counts.subscriptions,
    needs_token_refresh: awaitingTokenIn(counts),
    needs_token_refresh_by_app: counts.awaitingToken,
    unconfirmed_original_ids: counts.unconfirmedOriginalIds,
    held_open: counts.heldOpen,
    transactions_without_price: counts.transactionsWithoutPrice,
    periods_of_unknown_length: counts.periodsOfUnknownLength ?? 0,
    resolving: counts.resolving,
    last_import_at: lastImportAtMs,
  };
}
