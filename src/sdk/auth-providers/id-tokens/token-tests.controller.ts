import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { AuthTokenTestDto, TestIdTokenDto } from './token-test.dto.js';
import { TokenTestsService } from './token-tests.service.js';

@ApiTags('Customer sign-in')
@Controller('v2/projects/:project_id/auth/providers/:provider_id/actions/test')
export class TokenTestsController {
  constructor(private readonly tests: TokenTestsService) {}

  @Post()
  @V2Route({
    permission: 'project_configuration:projects:read',
    operationId: 'testAuthProvider',
    summary: 'Test an ID token',
    description:
      'Runs every check of a sign-in on an ID token, without signing anyone in. Works while the provider or sign-in is turned off. A token that fails also answers 200, with the reason.',
    ok: AuthTokenTestDto,
  })
  test(
    @Param('project_id') projectId: string,
    @Param('provider_id') providerId: string,
    @Body() body: TestIdTokenDto,
  ): Promise<AuthTokenTestDto> {
    return this.tests.test(projectId, providerId, body.id_token);
  }
}
