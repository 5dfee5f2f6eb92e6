import { Body, Controller, Delete, Get, Param, Post, Put, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../../platform/audit/project-write.js';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { completeList } from '../../../platform/http/lists/lists.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import {
  ConfigureRetentionUrlDto,
  CreateRetentionMessageDto,
  DeletedRetentionMessageDto,
  RetentionDefaultDto,
  RetentionEnvironmentQuery,
  RetentionMessageDto,
  RetentionMessageListDto,
  RetentionTestDto,
  RetentionUrlDto,
  SetRetentionDefaultDto,
  StartRetentionTestDto,
} from './retention-message.dto.js';
import { presentMessage, presentTest } from './retention-message.presenter.js';
import { RetentionMessagesService } from './retention-messages.service.js';

const storeErrors = {
  422: 'The app is of another store or has no key, or Apple refuses.',
  503: 'The App Store cannot be reached.',
};

@ApiTags('Retention messages')
@Controller('v2/projects/:project_id/apps/:app_id/retention_messages')
export class RetentionMessagesController {
  constructor(private readonly messages: RetentionMessagesService) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:apps:read',
    operationId: 'listRetentionMessages',
    summary: 'List retention messages',
    description: "Apple's messages of an app with their review states, which may be a minute old.",
    ok: RetentionMessageListDto,
    errors: storeErrors,
  })
  async list(
    @Param('project_id') projectId: string,
    @Param('app_id') appId: string,
    @Query() { environment }: RetentionEnvironmentQuery,
    @Req() request: ApiRequest,
  ): Promise<RetentionMessageListDto> {
    const place = { projectId, appId, environment };
    const messages = await this.messages.list(place);
    return completeList(
      request,
      messages.map((message) => presentMessage(place, message)),
    );
  }

  @Post()
  @V2Route({
    permission: 'project_configuration:apps:read_write',
    operationId: 'createRetentionMessage',
    summary: 'Create a retention message',
    description: 'Sends a text to Apple for review.',
    created: RetentionMessageDto,
    errors: storeErrors,
  })
  async create(
    @CurrentWrite() write: ProjectWrite,
    @Param('app_id') appId: string,
    @Body() body: CreateRetentionMessageDto,
  ): Promise<RetentionMessageDto> {
    const place = { projectId: write.projectId, appId, environment: body.environment ?? 'production' };
    return presentMessage(place, await this.messages.create(write, place, body));
  }

  @Put('default')
  @V2Route({
    permission: 'project_configuration:apps:read_write',
    operationId: 'setDefaultRetentionMessage',
    summary: 'Set the default retention message',
    description:
      'Sets the message that Apple shows for a product and a locale if no rule matches or this server does not answer.',
    ok: RetentionDefaultDto,
    errors: storeErrors,
  })
  async setDefault(
    @CurrentWrite() write: ProjectWrite,
    @Param('app_id') appId: string,
    @Body() body: SetRetentionDefaultDto,
  ): Promise<RetentionDefaultDto> {
    const { environment = 'production', locale, message_id } = body;
    const place = { projectId: write.projectId, appId, environment };
    const productId = await this.messages.setDefault(write, place, body);
    return {
      object: 'retention_default',
      app_id: appId,
      environment,
      product_id: productId,
      locale,
      message_id,
    };
  }

  @Post('actions/configure_url')
  @V2Route({
    permission: 'project_configuration:apps:read_write',
    operationId: 'configureRetentionUrl',
    summary: 'Register the address for retention messages',
    description:
      'Registers the address of this server that Apple asks for a message. In production Apple requires a passed test.',
    ok: RetentionUrlDto,
    errors: storeErrors,
  })
  async configureUrl(
    @CurrentWrite() write: ProjectWrite,
    @Param('app_id') appId: string,
    @Body() { environment = 'production' }: ConfigureRetentionUrlDto,
  ): Promise<RetentionUrlDto> {
    const url = await this.messages.configureUrl(write, {
      projectId: write.projectId,
      appId,
      environment,
    });
    return { object: 'retention_url', app_id: appId, environment, url };
  }

  @Post('actions/test')
  @V2Route({
    permission: 'project_configuration:apps:read_write',
    operationId: 'startRetentionTest',
    summary: "Start Apple's test of the address",
    description:
      'Apple sends many requests to the address that is registered in the sandbox and measures the answers.',
    ok: RetentionTestDto,
    errors: storeErrors,
  })
  async startTest(
    @CurrentWrite() write: ProjectWrite,
    @Param('app_id') appId: string,
    @Body() body: StartRetentionTestDto,
  ): Promise<RetentionTestDto> {
    const app = { projectId: write.projectId, appId };
    return presentTest(appId, await this.messages.startTest(write, app, body.original_transaction_id));
  }

  @Get('tests/:test_id')
  @V2Route({
    permission: 'project_configuration:apps:read',
    operationId: 'getRetentionTest',
    summary: "Get the result of Apple's test",
    description: 'How fast and how reliably this server answered, as Apple measured it.',
    ok: RetentionTestDto,
    errors: storeErrors,
  })
  async test(
    @Param('project_id') projectId: string,
    @Param('app_id') appId: string,
    @Param('test_id') id: string,
  ): Promise<RetentionTestDto> {
    return presentTest(appId, await this.messages.test({ projectId, appId }, id));
  }

  @Delete(':message_id')
  @V2Route({
    permission: 'project_configuration:apps:read_write',
    operationId: 'deleteRetentionMessage',
    summary: 'Delete a retention message',
    description: 'Deletes a message at Apple. Where it was a default, nothing is shown.',
    ok: DeletedRetentionMessageDto,
    errors: { ...storeErrors, 409: 'A rule shows the message.' },
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('app_id') appId: string,
    @Param('message_id') id: string,
    @Query() { environment }: RetentionEnvironmentQuery,
  ): Promise<DeletedRetentionMessageDto> {
    const place = { projectId: write.projectId, appId, environment };
    const deletedAtMs = await this.messages.delete(write, place, id);
    return { object: 'retention_message', id, deleted_at: deletedAtMs };
  }
}
