import { Controller, Delete, Param, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { SecretKeyAccess } from '../../platform/auth/access.js';
import { sendSdkJson } from '../../platform/http/pipeline/sdk-answer.js';
import { DeletedSubscriberDto } from './customer-lifecycle.dto.js';
import { CustomerDeletionService } from './customer-deletion.service.js';

@ApiTags('REST v1')
@Controller('v1/subscribers')
export class CustomerLifecycleV1Controller {
  constructor(private readonly deletion: CustomerDeletionService) {}

  @Delete(':app_user_id')
  @SecretKeyAccess('customer_information:customers:read_write')
  @ApiOperation({
    operationId: 'deleteSubscriber',
    summary: 'Delete a customer',
    description:
      'Deletes a customer with their purchases, attributes and events. This cannot be undone. Their ids can be used again, and no event is sent.',
  })
  @ApiOkResponse({ type: DeletedSubscriberDto })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('app_user_id') appUserId: string,
    @Res() response: Response,
  ): Promise<void> {
    await this.deletion.delete(write, appUserId);
    const body: DeletedSubscriberDto = { app_user_id: appUserId, deleted: true };
    sendSdkJson(response, 200, JSON.stringify(body));
  }
}
