import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { CustomerExportService } from './customer-export.service.js';

const JSON_LINES = 'application/x-ndjson';

/** A client that reads nothing for this long is disconnected, because the export holds a database connection. */
const STALLED_MS = 60_000;

@ApiTags('Customers')
@Controller('v2/projects/:project_id/customers/:customer_id')
export class CustomerExportV2Controller {
  constructor(private readonly exports: CustomerExportService) {}

  /** A read, but of personal data, so it is audited like a write. */
  @Get('export')
  @V2Route({
    permission: [
      'customer_information:customers:read',
      'customer_information:subscriptions:read',
      'customer_information:purchases:read',
    ],
    operationId: 'exportCustomer',
    summary: 'Export everything about a customer',
    description:
      'Everything that is stored about a customer, purchase tokens included, as JSON lines. The first line is a `customer_export`, the last one a `customer_export.end` with the number of records between them; an export without it is incomplete. Every other line is a stored record, named by its `object`, all as of the same time. The export is recorded in the audit log.',
    ok: {
      description: 'JSON lines, sent as they are read.',
      content: { [JSON_LINES]: { schema: { type: 'string' } } },
    },
    errors: { 503: 'Too many exports are running.' },
  })
  async export(
    @CurrentWrite() write: ProjectWrite,
    @Param('customer_id') customerId: string,
    @Res() response: Response,
  ): Promise<void> {
    response.setTimeout(STALLED_MS, () => response.destroy());
    await this.exports.write(write, customerId, response, () => {
      response.setHeader('Content-Type', `${JSON_LINES}; charset=utf-8`);
      response.setHeader('Content-Disposition', 'attachment; filename="customer.jsonl"');
    });
  }
}
