import { Body, Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { RequirePermission } from '../../platform/auth/access.js';
import { CustomerAttributeListDto } from '../../customers/customers/customer.dto.js';
import { presentAttribute } from '../../customers/customers/customer.presenter.js';
import { listPage, pageOfAll } from '../../platform/http/lists.js';
import { PageQuery } from '../../platform/http/page-query.js';
import { type ApiRequest, wirePath } from '../../platform/http/request.js';
import { checkedAttributes, SetAttributesDto } from './attribute.dto.js';
import { CustomerAttributesService } from './customer-attributes.service.js';

@ApiTags('Customers')
@Controller('v2/projects/:project_id/customers/:customer_id/attributes')
export class AttributesV2Controller {
  constructor(private readonly attributes: CustomerAttributesService) {}

  @Get()
  @RequirePermission('customer_information:customers:read')
  @ApiOperation({
    operationId: 'listCustomerAttributes',
    summary: 'List attributes of a customer',
    description: 'The attributes of a customer, sorted by name.',
  })
  @ApiOkResponse({ type: CustomerAttributeListDto })
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
  @HttpCode(200)
  @RequirePermission('customer_information:customers:read_write')
  @ApiOperation({
    operationId: 'setCustomerAttributes',
    summary: 'Set attributes of a customer',
    description:
      'Sets or deletes attributes of a customer, all or none of them, and overrides what an SDK set before. Answers all attributes.',
  })
  @ApiOkResponse({ type: CustomerAttributeListDto })
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
