import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { V2Route } from '../../platform/auth/v2-route.js';
import { AccessExplanationDto } from './access-explanation.dto.js';
import { presentAccessExplanation } from './access-explanation.presenter.js';
import { AccessExplanationService } from './access-explanation.service.js';

@ApiTags('Customers')
@Controller('v2/projects/:project_id/customers/:customer_id')
export class AccessExplanationV2Controller {
  constructor(private readonly explanations: AccessExplanationService) {}

  @Get('access_explanation')
  @V2Route({
    permission: [
      'customer_information:customers:read',
      'customer_information:subscriptions:read',
      'customer_information:purchases:read',
    ],
    operationId: 'explainCustomerAccess',
    summary: 'Explain the access of a customer',
    description:
      'For each entitlement, why the customer has it or no longer has it, and how purchases moved between customers.',
    ok: AccessExplanationDto,
  })
  async explain(
    @Param('project_id') projectId: string,
    @Param('customer_id') customerId: string,
  ): Promise<AccessExplanationDto> {
    return presentAccessExplanation(await this.explanations.explain(projectId, customerId));
  }
}
