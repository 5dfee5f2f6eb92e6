import { Controller, Get } from '@nestjs/common';
import { ApiExtension, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireEnterpriseSession } from '../../platform/auth/access.js';
import { EnterpriseStatusDto, presentStatus } from './enterprise.dto.js';
import { LicenceService } from './licence.service.js';

@ApiTags('Enterprise')
@Controller('v2/enterprise')
export class EnterpriseController {
  constructor(private readonly licence: LicenceService) {}

  @Get()
  @RequireEnterpriseSession()
  @ApiExtension('x-enterprise', true)
  @ApiOperation({
    operationId: 'getEnterpriseStatus',
    summary: 'Get the state of the licence',
    description: 'Which features of the enterprise edition this server has, for every signed-in person.',
  })
  @ApiOkResponse({ type: EnterpriseStatusDto })
  get(): EnterpriseStatusDto {
    return presentStatus(this.licence.status);
  }
}
