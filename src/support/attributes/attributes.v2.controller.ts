import { Body, Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { CustomerAttributeListDto } from '../../customers/customers/identity/customer.dto.js';
import { presentAttribute } from '../../customers/customers/identity/customer.presenter.js';
import { listPage, pageOfAll } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import { type ApiRequest, wirePath } from '../../platform/http/pipeline/request.js';
import { checkedAttributes, SetAttributesDto } from './attribute.dto.js';
import { CustomerAttributesService } from './customer-attributes.service.js';

@ApiTags('Customers')
@Controller('v2/projects/:project_id/customers/:customer_id/attributes')
export class AttributesV2Controller {
  constructor(private readonly attributes: CustomerAttributesService) {}

  @Get()
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'listCustomerAttributes',
    summary: 'List attributes of a customer',
    description: 'The attributes of a customer, sorted by name.',
    ok: CustomerAttributeListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Param('customer_id') customerId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<CustomerAttributeListDto> {
    const all = await this.attributes.list(projectId, customerId);
    const rows = pageOfAll(all, page, ({ name }) => name);
    return listPage(request, page, rows, presentAttribute, ({ name }) => [name]);
  }

  @Post()
  @V2Route({
    permission: 'customer_information:customers:read_write',
    operationId: 'setCustomerAttributes',
    summary: 'Set attributes of a customer',
    description:
      'Sets or deletes attributes of a customer atomically, and overrides values from SDKs. Returns all attributes.',
    ok: CustomerAttributeListDto,
  })
  async set(
    @CurrentWrite() write: ProjectWrite,
    @Param('customer_id') customerId: string,
    @Body() body: SetAttributesDto,
    @Req() request: ApiRequest,
  ): Promise<CustomerAttributeListDto> {
    const rows = await this.attributes.set(write, customerId, checkedAttributes(body.attributes));
    return { object: 'list', items: rows.map(presentAttribute), next_page: null, url: wirePath(request) };
  }
}
