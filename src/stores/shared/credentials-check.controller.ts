import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { V2Route } from '../../platform/auth/v2-route.js';
import { CredentialsCheckDto, VerifyCredentialsDto } from './credentials-check.dto.js';
import { CredentialsCheckService } from './credentials-check.service.js';

@ApiTags('Apps')
@Controller('v2/projects/:project_id/apps/:app_id/actions')
export class CredentialsCheckController {
  constructor(private readonly checks: CredentialsCheckService) {}

  @Post('verify_credentials')
  @V2Route({
    permission: 'project_configuration:apps:read',
    operationId: 'verifyStoreCredentials',
    summary: 'Check store credentials',
    description:
      'Tries the credentials of an app with one harmless call to its store. Values in the body are tried without being saved. The answer is 200 even if the credentials fail; `status` has the result.',
    ok: CredentialsCheckDto,
    errors: { 422: 'This server cannot check credentials of the store.' },
  })
  verify(
    @Param('project_id') projectId: string,
    @Param('app_id') appId: string,
    @Body() body: VerifyCredentialsDto,
  ): Promise<CredentialsCheckDto> {
    return this.checks.verify(projectId, appId, body);
  }
}
