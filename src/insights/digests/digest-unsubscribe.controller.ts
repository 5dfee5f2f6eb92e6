import { Controller, HttpCode, Post, Query } from '@nestjs/common';
import { ApiBadRequestResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Anonymous } from '../../platform/auth/access.js';
import { AccountErrorDto } from '../../platform/http/errors/error.dto.js';
import { OkDto } from '../../workspace/accounts/account.dto.js';
import { UnsubscribeQuery } from '../../workspace/alerts/alert-unsubscribe.dto.js';
import { DigestUnsubscribeService } from './digest-unsubscribe.service.js';

@ApiTags('Accounts')
@Controller('auth/digests/unsubscribe')
export class DigestUnsubscribeController {
  constructor(private readonly digests: DigestUnsubscribeService) {}

  /** Called by mail providers for their user, so it needs no cookie and is exempt from the origin check. */
  @Post()
  @HttpCode(200)
  @Anonymous()
  @ApiOperation({
    operationId: 'unsubscribeFromDigest',
    summary: 'Stop the mails of a digest from a mail',
    description:
      'The one-click unsubscribe of RFC 8058: removes the member who got the mail from the digest. The body is ignored. Repeating it changes nothing.',
  })
  @ApiOkResponse({ type: OkDto })
  @ApiBadRequestResponse({ type: AccountErrorDto, description: 'The token is not genuine.' })
  async unsubscribe(@Query() { token }: UnsubscribeQuery): Promise<OkDto> {
    await this.digests.unsubscribe(token);
    return { ok: true };
  }
}
