import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { EmptyDto } from '../../platform/http/bodies/empty.dto.js';
import { StringField } from '../../platform/http/bodies/fields.js';
import { OfferingOverridesService } from './offering-overrides.service.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';

@BodyExample({ offering_id: 'ofrngsx2k8v0a1b' })
class AssignOfferingDto {
  @StringField({ max: 255, nullable: true, description: 'Null removes the assignment.' })
  offering_id: string | null;
}

@ApiTags('Customers')
@Controller('v2/projects/:project_id/customers/:customer_id/actions/assign_offering')
export class OfferingOverridesV2Controller {
  constructor(private readonly overrides: OfferingOverridesService) {}

  @Post()
  @V2Route({
    permission: ['project_configuration:offerings:read', 'customer_information:customers:read_write'],
    operationId: 'assignOffering',
    summary: 'Assign an offering to a customer',
    description:
      'Makes an offering the current one for this customer, whatever the current one of the project is. `null` removes the assignment.',
    ok: EmptyDto,
    errors: { 422: 'The offering is archived.' },
  })
  async assign(
    @CurrentWrite() write: ProjectWrite,
    @Param('customer_id') customerId: string,
    @Body() body: AssignOfferingDto,
  ): Promise<EmptyDto> {
    await this.overrides.set(write, customerId, body.offering_id);
    return {};
  }
}
