import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { V2Route } from '../../platform/auth/v2-route.js';
import { PublicAddressService } from './public-address.service.js';
import { SetupHealthDto } from './setup-health.dto.js';
import { presentSetupHealth } from './setup-health.presenter.js';
import { SetupHealthService } from './setup-health.service.js';

@ApiTags('Setup')
@Controller('v2/projects/:project_id/setup_health')
export class SetupHealthController {
  constructor(
    private readonly health: SetupHealthService,
    private readonly addresses: PublicAddressService,
  ) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:apps:read',
    operationId: 'getSetupHealth',
    summary: 'Check the setup of a project',
    description:
      'Whether stores, webhooks, SDKs and currencies of the project are set up completely and work.',
    ok: SetupHealthDto,
  })
  async get(@Param('project_id') projectId: string): Promise<SetupHealthDto> {
    const health = await this.health.check(projectId);
    return presentSetupHealth(health, await this.addresses.unreachable(projectId));
  }
}
