import { Body, Controller, Delete, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentWrite, type ProjectWrite } from '../../../platform/audit/project-write.js';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { CSV, sendCsv } from '../../../platform/http/lists/csv.js';
import { placeByCreation } from '../../../platform/http/lists/list-place.js';
import { listPage } from '../../../platform/http/lists/lists.js';
import { PageQuery } from '../../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import {
  CreateCustomerListExportDto,
  CustomerListExportDto,
  CustomerListExportListDto,
  DeletedCustomerListExportDto,
} from './customer-list-export.dto.js';
import { presentCustomerListExport } from './customer-list-export.presenter.js';
import { CustomerListExportsService } from './customer-list-exports.service.js';

@ApiTags('Customers')
@Controller('v2/projects/:project_id/customer_list_exports')
export class CustomerListExportsController {
  constructor(private readonly exports: CustomerListExportsService) {}

  @Get()
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'listCustomerListExports',
    summary: 'List exports of customers',
    description: 'The exports of the project that have not expired, oldest first.',
    ok: CustomerListExportListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<CustomerListExportListDto> {
    const rows = await this.exports.page(projectId, page);
    return listPage(request, page, rows, presentCustomerListExport, placeByCreation);
  }

  @Post()
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'createCustomerListExport',
    summary: 'Export customers with filters',
    description:
      'Writes up to 1000000 customers to a CSV file in the background, sorted by an internal id. The file can be downloaded for 24 hours.',
    created: CustomerListExportDto,
    errors: {
      422: 'Two exports are running, or the project has ten.',
      503: 'Customers from before an upgrade are still being added to lists.',
    },
  })
  async create(
    @CurrentWrite() write: ProjectWrite,
    @Body() body: CreateCustomerListExportDto,
  ): Promise<CustomerListExportDto> {
    return presentCustomerListExport(await this.exports.create(write, body.filters));
  }

  @Get(':customer_list_export_id')
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'getCustomerListExport',
    summary: 'Get an export of customers',
    description: 'The state and progress of an export.',
    ok: CustomerListExportDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('customer_list_export_id') id: string,
  ): Promise<CustomerListExportDto> {
    return presentCustomerListExport(await this.exports.get(projectId, id));
  }

  /** A read, but of personal data, so it is audited like a write. */
  @Get(':customer_list_export_id/file')
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'downloadCustomerListExport',
    summary: 'Download an export of customers',
    description:
      'The file, with the columns of `downloadFilteredCustomers`. The download is recorded in the audit log.',
    ok: { content: { [CSV]: { schema: { type: 'string' }, example: 'app_user_id,email,name\r\n' } } },
    errors: { 422: 'The export is running or has failed.' },
  })
  async download(
    @CurrentWrite() write: ProjectWrite,
    @Param('customer_list_export_id') id: string,
    @Res() response: Response,
  ): Promise<void> {
    await sendCsv(response, 'customers.csv', await this.exports.openFile(write, id));
  }

  @Delete(':customer_list_export_id')
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'deleteCustomerListExport',
    summary: 'Cancel or delete an export of customers',
    description: 'Deletes the export and its file. An export that is running is cancelled.',
    ok: DeletedCustomerListExportDto,
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('customer_list_export_id') id: string,
  ): Promise<DeletedCustomerListExportDto> {
    return { object: 'customer_list_export', id, deleted_at: await this.exports.delete(write, id) };
  }
}
