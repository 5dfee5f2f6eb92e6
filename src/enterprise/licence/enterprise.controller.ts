import { Controller, Get } from '@nestjs/common';
import { ApiExtension, ApiTags } from '@nestjs/swagger';
import { RequireEnterpriseSession } from '../../platform/auth/access.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { EnterpriseStatusDto, presentStatus } from './enterprise.dto.js';
import { LicenceService } from './licence.service.js';

@ApiTags('Enterprise')
@Controller('v2/enterprise')
export class EnterpriseController {
  constructor(private readonly licence: LicenceService) {}

  @Get()
  @RequireEnterpriseSession()
  @ApiExtension('x-enterprise', true)
  @V2Route({
    operationId: 'getEnterpriseStatus',
    summary: 'Get the state of the licence',
    description: 'The features of the enterprise edition that this server has. For all signed-in users.',
    ok: EnterpriseStatusDto,
  })
  get(): EnterpriseStatusDto {
    return presentStatus(this.licence.status);
  }
}
