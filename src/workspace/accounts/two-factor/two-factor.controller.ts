import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import { RequireAccountSession } from '../../../platform/auth/access.js';
import { CurrentPrincipal } from '../../../platform/auth/current-principal.js';
import { AccountErrorDto } from '../../../platform/http/errors/error.dto.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import type { SessionPrincipal } from '../../../platform/principal/principal.js';
import { OkDto } from '../account.dto.js';
import { clientOf } from '../sessions/client.js';
import {
  EnableTwoFactorDto,
  RecoveryCodesDto,
  SetUpTwoFactorDto,
  TwoFactorCodeDto,
  TwoFactorSecretDto,
} from './two-factor.dto.js';
import { TwoFactorService } from './two-factor.service.js';

const invalidCode = {
  type: AccountErrorDto,
  description: 'Not signed in, or the code is wrong or was used before (`two_factor_invalid`).',
};

@ApiTags('Accounts')
@Controller('auth/2fa')
export class TwoFactorController {
  constructor(private readonly twoFactor: TwoFactorService) {}

  @Post('setup')
  @HttpCode(200)
  @RequireAccountSession()
  @ApiOperation({
    operationId: 'setUpTwoFactor',
    summary: 'Set two-factor up',
    description:
      'Creates a secret for an authenticator app. Two-factor is on only after the first code (`POST /auth/2fa/enable`); until then another call replaces the secret.',
  })
  @ApiOkResponse({ type: TwoFactorSecretDto })
  @ApiBadRequestResponse({ type: AccountErrorDto, description: 'The password is missing or wrong.' })
  @ApiConflictResponse({ type: AccountErrorDto, description: 'Two-factor is on already.' })
  @ApiTooManyRequestsResponse({ type: AccountErrorDto })
  async setUp(
    @CurrentPrincipal() { userId }: SessionPrincipal,
    @Req() request: ApiRequest,
    @Body() { password }: SetUpTwoFactorDto,
  ): Promise<TwoFactorSecretDto> {
    const { secret, otpauthUrl } = await this.twoFactor.setUp(userId, password, clientOf(request));
    return { secret, otpauth_url: otpauthUrl };
  }

  @Post('enable')
  @HttpCode(200)
  @RequireAccountSession()
  @ApiOperation({
    operationId: 'enableTwoFactor',
    summary: 'Turn two-factor on',
    description:
      'Verifies the first code of the authenticator app; sign-in then asks for a code. Ends your other sessions. Only this response contains the recovery codes.',
  })
  @ApiOkResponse({ type: RecoveryCodesDto })
  @ApiBadRequestResponse({ type: AccountErrorDto })
  @ApiUnauthorizedResponse(invalidCode)
  @ApiConflictResponse({ type: AccountErrorDto, description: 'Two-factor is on already, or not set up.' })
  @ApiTooManyRequestsResponse({ type: AccountErrorDto })
  async enable(
    @CurrentPrincipal() principal: SessionPrincipal,
    @Body() { code }: EnableTwoFactorDto,
  ): Promise<RecoveryCodesDto> {
    return { recovery_codes: await this.twoFactor.enable(principal, code) };
  }

  @Post('disable')
  @HttpCode(200)
  @RequireAccountSession()
  @ApiOperation({
    operationId: 'disableTwoFactor',
    summary: 'Turn two-factor off',
    description: 'Deletes the secret and the recovery codes. Sign-in then asks only for the password.',
  })
  @ApiOkResponse({ type: OkDto })
  @ApiBadRequestResponse({ type: AccountErrorDto })
  @ApiUnauthorizedResponse(invalidCode)
  @ApiConflictResponse({ type: AccountErrorDto, description: 'Two-factor is off.' })
  @ApiTooManyRequestsResponse({ type: AccountErrorDto })
  async disable(
    @CurrentPrincipal() { userId }: SessionPrincipal,
    @Body() { code }: TwoFactorCodeDto,
  ): Promise<OkDto> {
    await this.twoFactor.disable(userId, code);
    return { ok: true };
  }

  @Post('recovery_codes')
  @HttpCode(200)
  @RequireAccountSession()
  @ApiOperation({
    operationId: 'renewRecoveryCodes',
    summary: 'Create new recovery codes',
    description: 'Replaces all recovery codes; the old ones no longer work.',
  })
  @ApiOkResponse({ type: RecoveryCodesDto })
  @ApiBadRequestResponse({ type: AccountErrorDto })
  @ApiUnauthorizedResponse(invalidCode)
  @ApiConflictResponse({ type: AccountErrorDto, description: 'Two-factor is off.' })
  @ApiTooManyRequestsResponse({ type: AccountErrorDto })
  async renewRecoveryCodes(
    @CurrentPrincipal() { userId }: SessionPrincipal,
    @Body() { code }: TwoFactorCodeDto,
  ): Promise<RecoveryCodesDto> {
    return { recovery_codes: await this.twoFactor.renewRecoveryCodes(userId, code) };
  }
}
