import { Body, Controller, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { CurrentPrincipal } from '../../platform/auth/current-principal.js';
import type { Principal } from '../../platform/principal/principal.js';
import { blockedBy } from '../../customers/blocked-customers/blocked-by.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { ImportCustomersDto, ImportResultDto } from './customer-import.dto.js';
import { presentImport } from './customer-import.presenter.js';
import { CustomerImportsService } from './customer-imports.service.js';

@ApiTags('Imports')
@Controller('v2/projects/:project_id/import/customers')
export class CustomerImportsController {
  constructor(private readonly imports: CustomerImportsService) {}

  @Post()
  @V2Route({
    permission: [
      'customer_information:customers:read_write',
      'customer_information:subscriptions:read_write',
      'customer_information:purchases:read_write',
    ],
    operationId: 'importCustomers',
    summary: 'Import customers',
    description:
      'Imports up to 100 customers of another system with their ids, attributes, subscriptions, purchases and balances. Atomic and idempotent. Reports of a store always take precedence over imported data. Bodies of up to 10 MiB.',
    ok: ImportResultDto,
  })
  // An import grants access, sets balances and moves purchases between customers, like a transfer.
  async import(
    @CurrentWrite() write: ProjectWrite,
    @CurrentPrincipal() principal: Principal,
    @Body() body: ImportCustomersDto,
    @Req() request: ApiRequest,
  ): Promise<ImportResultDto> {
    const by = blockedBy(principal);
    const items = await this.imports.run(write, body, { id: request.id, atMs: request.receivedAtMs, by });
    return presentImport(items, body.emit_events ?? false);
  }
}
