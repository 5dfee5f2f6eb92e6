import {
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Config } from '../../../platform/config/config.js';
import type { ApiRequest } from '../../../platform/http/request.js';
import { sendScim } from '../../../platform/http/scim-answer.js';
import type { OrganizationWrite } from '../../access/organization-write.js';
import { operationsOf } from '../protocol/patch-body.js';
import { projected } from '../protocol/projection.js';
import { userType } from '../protocol/resource-type.js';
import { listQueryOf, listResponse, projectionIn, type RawQuery } from '../shared/list-query.js';
import { scimBaseUrl } from '../shared/scim-address.js';
import { CurrentScimWrite, ScimRoute } from '../shared/scim.guard.js';
import { isNotModified, sendNoContent, sendResource } from '../shared/scim-response.js';
import { locationOf } from '../shared/stored-resource.js';
import type { ScimUser } from './scim-user.entity.js';
import { ScimUserSearchService } from './scim-user-search.service.js';
import { ScimUsersService } from './scim-users.service.js';

/** RFC 7644; `/scim/v2/Schemas` describes it, not OpenAPI. */
@ApiExcludeController()
@Controller('scim/v2/Users')
export class ScimUsersController {
  constructor(
    private readonly users: ScimUsersService,
    private readonly search: ScimUserSearchService,
    private readonly config: Config,
  ) {}

  @Get()
  @ScimRoute()
  async list(
    @CurrentScimWrite() { orgId }: OrganizationWrite,
    @Query() query: RawQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const wanted = listQueryOf(userType, query);
    const { resources, total } = await this.search.search(orgId, wanted, scimBaseUrl(request, this.config));
    sendScim(response, 200, listResponse(resources, total, wanted.startIndex));
  }

  @Post()
  @ScimRoute()
  async create(
    @CurrentScimWrite() write: OrganizationWrite,
    @Body() body: unknown,
    @Query() query: RawQuery,
    @Res() response: Response,
  ): Promise<void> {
    const user = await this.users.create(write, body);
    const baseUrl = scimBaseUrl(response.req as ApiRequest, this.config);
    response.setHeader('Location', locationOf(userType, baseUrl, user.id));
    await this.send(response, 201, user, query);
  }

  @Get(':id')
  @ScimRoute()
  async get(
    @CurrentScimWrite() { orgId }: OrganizationWrite,
    @Param('id') id: string,
    @Query() query: RawQuery,
    @Res() response: Response,
  ): Promise<void> {
    const user = await this.search.get(orgId, id);
    if (!isNotModified(response, user.version)) await this.send(response, 200, user, query);
  }

  @Put(':id')
  @ScimRoute()
  async replace(
    @CurrentScimWrite() write: OrganizationWrite,
    @Param('id') id: string,
    @Body() body: unknown,
    @Query() query: RawQuery,
    @Res() response: Response,
  ): Promise<void> {
    const user = await this.users.replace(write, id, body, response.req.headers['if-match']);
    await this.send(response, 200, user, query);
  }

  @Patch(':id')
  @ScimRoute()
  async patch(
    @CurrentScimWrite() write: OrganizationWrite,
    @Param('id') id: string,
    @Body() body: unknown,
    @Query() query: RawQuery,
    @Res() response: Response,
  ): Promise<void> {
    const user = await this.users.patch(write, id, operationsOf(body), response.req.headers['if-match']);
    await this.send(response, 200, user, query);
  }

  @Delete(':id')
  @ScimRoute()
  async delete(
    @CurrentScimWrite() write: OrganizationWrite,
    @Param('id') id: string,
    @Headers('if-match') ifMatch: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    await this.users.delete(write, id, ifMatch);
    sendNoContent(response);
  }

  private async send(response: Response, status: number, user: ScimUser, query: RawQuery): Promise<void> {
    const projection = projectionIn(userType, query);
    const baseUrl = scimBaseUrl(response.req as ApiRequest, this.config);
    const resource = projected(await this.search.present(user, baseUrl), projection);
    sendResource(response, status, resource, user.version);
  }
}
