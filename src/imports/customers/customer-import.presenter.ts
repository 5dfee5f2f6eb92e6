import type { ImportResultDto } from './customer-import.dto.js';
import type { ImportedItem } from './customer-imports.service.js';

export function presentImport(items: ImportedItem[], emitsEvents: boolean): ImportResultDto {
  return {
    object: 'import_result',
    emit_events: emitsEvents,
    customers: items.map(({ item, status, subscriptions, purchases, needsTokenRefresh, notes }) => ({
      id: item.id,
      status,
      subscriptions,
      purchases,
      needs_token_refresh: needsTokenRefresh,
      notes: notes.texts,
    })),
  };
}
