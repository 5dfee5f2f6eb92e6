import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../../../platform/auth/access.js';
import { AuthTokenTestDto, TestIdTokenDto } from './token-test.dto.js';
import { TokenTestsService } from './token-tests.service.js';

@ApiTags('Customer sign-in')
@Controller('v2/projects/:project_id/auth/providers/:provider_id/actions/test')
export class TokenTestsController {
  constructor(private readonly tests: TokenTestsService) {}

  @Post()
  @HttpCode(200)
  @RequirePermission('project_configuration:projects:read')
  @ApiOperation({
    operationId: 'testAuthProvider',
    summary: 'Test an ID token',
    description:
      'Runs every check of a sign-in on an ID token, without signing anyone in. Works while the provider or sign-in is turned off. A token that fails is answered with 200 too, and the reason.',
  })
  @ApiOkResponse({ type: AuthTokenTestDto })
  test(
    @Param('project_id') projectId: string,
    @Param('provider_id') providerId: string,
    @Body() body: TestIdTokenDto,
  ): Promise<AuthTokenTestDto> {
    return this.tests.test(projectId, providerId, body.id_token);
  }
}
