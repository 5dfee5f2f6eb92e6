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
import { groupType } from '../protocol/resource-type.js';
import { listQueryOf, listResponse, projectionIn, type RawQuery } from '../shared/list-query.js';
import { scimBaseUrl } from '../shared/scim-address.js';
import { CurrentScimWrite, ScimRoute } from '../shared/scim.guard.js';
import { isNotModified, sendNoContent, sendResource } from '../shared/scim-response.js';
import { locationOf } from '../shared/stored-resource.js';
import type { ScimGroup } from './scim-group.entity.js';
import { ScimGroupSearchService } from './scim-group-search.service.js';
import { ScimGroupsService } from './scim-groups.service.js';

/** The answer to a PATCH of a larger group would be megabytes that no client reads; 204 is allowed (RFC 7644, 3.5.2). */
const SHOWN_AFTER_PATCH = 1_000;

/** RFC 7644; `/scim/v2/Schemas` describes it, not OpenAPI. */
@ApiExcludeController()
@Controller('scim/v2/Groups')
export class ScimGroupsController {
  constructor(
    private readonly groups: ScimGroupsService,
    private readonly search: ScimGroupSearchService,
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
    const wanted = listQueryOf(groupType, query);
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
    const group = await this.groups.create(write, body);
    const baseUrl = scimBaseUrl(response.req as ApiRequest, this.config);
    response.setHeader('Location', locationOf(groupType, baseUrl, group.id));
    await this.send(response, 201, group, query);
  }

  @Get(':id')
  @ScimRoute()
  async get(
    @CurrentScimWrite() { orgId }: OrganizationWrite,
    @Param('id') id: string,
    @Query() query: RawQuery,
    @Res() response: Response,
  ): Promise<void> {
    const group = await this.search.get(orgId, id);
    if (!isNotModified(response, group.version)) await this.send(response, 200, group, query);
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
    const group = await this.groups.replace(write, id, body, response.req.headers['if-match']);
    await this.send(response, 200, group, query);
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
    const group = await this.groups.patch(write, id, operationsOf(body), response.req.headers['if-match']);
    const isAsked = query.attributes !== undefined || query.excludedAttributes !== undefined;
    if (!isAsked && (await this.search.countMembers(group)) > SHOWN_AFTER_PATCH)
      return sendNoContent(response, group.version);
    await this.send(response, 200, group, query);
  }

  @Delete(':id')
  @ScimRoute()
  async delete(
    @CurrentScimWrite() write: OrganizationWrite,
    @Param('id') id: string,
    @Headers('if-match') ifMatch: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    await this.groups.delete(write, id, ifMatch);
    sendNoContent(response);
  }

  private async send(response: Response, status: number, group: ScimGroup, query: RawQuery): Promise<void> {
    const projection = projectionIn(groupType, query);
    const baseUrl = scimBaseUrl(response.req as ApiRequest, this.config);
    const resource = await this.search.present(group, projection, baseUrl);
    sendResource(response, status, resource, group.version);
  }
}
