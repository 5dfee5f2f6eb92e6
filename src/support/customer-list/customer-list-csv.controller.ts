import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { CSV, sendCsv } from '../../platform/http/lists/csv.js';
import { CustomerFiltersQuery } from './customer-filters.query.js';
import { CustomerListDownloadService } from './customer-list-download.service.js';

@ApiTags('Customers')
@Controller('v2/projects/:project_id/filtered_customers/csv')
export class CustomerListCsvController {
  constructor(private readonly downloads: CustomerListDownloadService) {}

  /** A read, but of personal data, so it is audited like a write. */
  @Get()
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'downloadFilteredCustomers',
    summary: 'Download customers with filters as CSV',
    description:
      'The customers that meet all filters, at most 10000, in the order of the list. The download is recorded in the audit log. For longer lists, create an export.',
    ok: { content: { [CSV]: { schema: { type: 'string' }, example: 'app_user_id,email,name\r\n' } } },
    errors: { 422: 'More than 10000 customers meet the filters.', 503: 'Too many downloads are running.' },
  })
  async download(
    @CurrentWrite() write: ProjectWrite,
    @Query() query: CustomerFiltersQuery,
    @Res() response: Response,
  ): Promise<void> {
    await this.downloads.run(write, query, (lines) => sendCsv(response, 'customers.csv', lines));
  }
}
