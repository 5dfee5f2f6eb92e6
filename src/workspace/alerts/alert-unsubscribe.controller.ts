import { Controller, HttpCode, Post, Query } from '@nestjs/common';
import { ApiBadRequestResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Anonymous } from '../../platform/auth/access.js';
import { AccountErrorDto } from '../../platform/http/errors/error.dto.js';
import { OkDto } from '../accounts/account.dto.js';
import { UnsubscribeQuery } from './alert-unsubscribe.dto.js';
import { AlertUnsubscribeService } from './alert-unsubscribe.service.js';

@ApiTags('Accounts')
@Controller('auth/alerts/unsubscribe')
export class AlertUnsubscribeController {
  constructor(private readonly alerts: AlertUnsubscribeService) {}

  /** Called by mail providers for their user, so it needs no cookie and is exempt from the origin check. */
  @Post()
  @HttpCode(200)
  @Anonymous()
  @ApiOperation({
    operationId: 'unsubscribeFromAlerts',
    summary: 'Turn off alert emails from a mail',
    description:
      'The one-click unsubscribe of RFC 8058: turns `alert_emails` off for the account that got the mail. The body is ignored. Repeating it changes nothing.',
  })
  @ApiOkResponse({ type: OkDto })
  @ApiBadRequestResponse({ type: AccountErrorDto, description: 'The token is not genuine.' })
  async unsubscribe(@Query() { token }: UnsubscribeQuery): Promise<OkDto> {
    await this.alerts.unsubscribe(token);
    return { ok: true };
  }
}
