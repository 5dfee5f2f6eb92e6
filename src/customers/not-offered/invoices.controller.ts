import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { V2Route } from '../../platform/auth/v2-route.js';
import { CustomersQueryService } from '../customers/identity/customers-query.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { EmptyListDto, emptyList } from './empty-list.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';

/** The stores bill the customers and issue the invoices, so this server has none. */
@ApiTags('Invoices')
@Controller('v2/projects/:project_id/customers/:customer_id/invoices')
export class InvoicesController {
  constructor(private readonly customers: CustomersQueryService) {}

  @Get()
  @V2Route({
    permission: 'customer_information:invoices:read',
    operationId: 'listCustomerInvoices',
    summary: 'List invoices of a customer (none)',
    description: 'The stores issue the invoices: the list is always empty.',
    ok: EmptyListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Param('customer_id') customerId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<EmptyListDto> {
    await this.customers.get(projectId, customerId);
    return emptyList(request, page);
  }

  @Get(':invoice_id/file')
  @V2Route({
    permission: 'customer_information:invoices:read',
    operationId: 'getInvoiceFile',
    summary: 'Get the file of an invoice (none)',
    description: 'The stores issue the invoices: the answer is always 404.',
  })
  async file(
    @Param('project_id') projectId: string,
    @Param('customer_id') customerId: string,
    @Param('invoice_id') invoiceId: string,
  ): Promise<never> {
    await this.customers.get(projectId, customerId);
    throw ApiError.missing('invoice', invoiceId);
  }
}
