import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../../platform/auth/access.js';
import { AccessExplanationDto } from './access-explanation.dto.js';
import { presentAccessExplanation } from './access-explanation.presenter.js';
import { AccessExplanationService } from './access-explanation.service.js';

@ApiTags('Customers')
@Controller('v2/projects/:project_id/customers/:customer_id')
export class AccessExplanationV2Controller {
  constructor(private readonly explanations: AccessExplanationService) {}

  @Get('access_explanation')
  @RequirePermission(
    'customer_information:customers:read',
    'customer_information:subscriptions:read',
    'customer_information:purchases:read',
  )
  @ApiOperation({
    operationId: 'explainCustomerAccess',
    summary: 'Explain the access of a customer',
    description:
      'For each entitlement, why the customer has it or no longer has it, and how purchases moved between customers.',
  })
  @ApiOkResponse({ type: AccessExplanationDto })
  async explain(
    @Param('project_id') projectId: string,
    @Param('customer_id') customerId: string,
  ): Promise<AccessExplanationDto> {
    return presentAccessExplanation(await this.explanations.explain(projectId, customerId));
  }
}
