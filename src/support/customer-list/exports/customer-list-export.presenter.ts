import type { CustomerListExportDto } from './customer-list-export.dto.js';
import type { CustomerListExportEntity } from './customer-list-export.entity.js';

export function presentCustomerListExport(row: CustomerListExportEntity): CustomerListExportDto {
  return {
    object: 'customer_list_export',
    id: row.id,
    filters: row.filters,
    state: row.state,
    failure: row.failure,
    written_rows: row.writtenRows,
    total_rows: row.totalRows,
    created_at: row.createdAt.getTime(),
    finished_at: row.finishedAt?.getTime() ?? null,
    expires_at: row.expiresAt.getTime(),
  };
}
