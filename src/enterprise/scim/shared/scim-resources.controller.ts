import { Body, Delete, Get, Headers, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { JsonObject } from '../../../../libs/kernel/index.js';
import type { Config } from '../../../platform/config/config.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { sendScim } from '../../../platform/http/pipeline/scim-answer.js';
import type { OrganizationWrite } from '../../access/organization-write.js';
import { operationsOf, type PatchOperation } from '../protocol/patch-body.js';
import type { Projection } from '../protocol/projection.js';
import type { ResourceType } from '../protocol/resource-type.js';
import {
  type ListQuery,
  listQueryOf,
  listResponse,
  projectionIn,
  type RawQuery,
  searchOf,
} from './list-query.js';
import { scimBaseUrl } from './scim-address.js';
import { CurrentScimWrite, ScimRoute } from './scim.guard.js';
import { isNotModified, sendNoContent, sendResource } from './scim-response.js';
import type { FoundResources } from './scim-search.js';
import { locationOf, type StoredResource } from './stored-resource.js';

/** Changes to resources of one type. */
export interface ResourceWrites<Resource> {
  create(write: OrganizationWrite, body: unknown): Promise<Resource>;
  replace(write: OrganizationWrite, id: string, body: unknown, ifMatch?: string): Promise<Resource>;
  patch(
    write: OrganizationWrite,
    id: string,
    operations: readonly PatchOperation[],
    ifMatch?: string,
  ): Promise<Resource>;
  delete(write: OrganizationWrite, id: string, ifMatch?: string): Promise<void>;
}

/** Reads resources of one type for responses. */
export interface ResourceSearch<Resource> {
  get(orgId: string, id: string): Promise<Resource>;
  present(
    orgId: string,
    resource: Resource,
    projection: Projection | null,
    baseUrl: string,
  ): Promise<JsonObject>;
  search(orgId: string, query: ListQuery, baseUrl: string): Promise<FoundResources>;
}

/**
 * Routes of one resource type (RFC 7644, 3). The projection is parsed before a write, so that a rejected request has
 * written nothing.
 */
export abstract class ScimResourcesController<Resource extends StoredResource> {
  protected constructor(
    private readonly type: ResourceType,
    private readonly writes: ResourceWrites<Resource>,
    private readonly search: ResourceSearch<Resource>,
    private readonly config: Config,
  ) {}

  @Get()
  @ScimRoute()
  async list(
    @CurrentScimWrite() { orgId }: OrganizationWrite,
    @Query() query: RawQuery,
    @Res() response: Response,
  ): Promise<void> {
    await this.sendList(response, orgId, query);
  }

  /** For filters that are too long, or too confidential, for a URL. */
  @Post('.search')
  @ScimRoute()
  async searchByBody(
    @CurrentScimWrite() { orgId }: OrganizationWrite,
    @Body() body: unknown,
    @Res() response: Response,
  ): Promise<void> {
    await this.sendList(response, orgId, searchOf(body));
  }

  @Post()
  @ScimRoute()
  async create(
    @CurrentScimWrite() write: OrganizationWrite,
    @Body() body: unknown,
    @Query() query: RawQuery,
    @Res() response: Response,
  ): Promise<void> {
    const projection = projectionIn(this.type, query);
    const resource = await this.writes.create(write, body);
    response.setHeader('Location', locationOf(this.type, this.baseUrl(response), resource.id));
    await this.send(response, 201, write, resource, projection);
  }

  @Get(':id')
  @ScimRoute()
  async get(
    @CurrentScimWrite() write: OrganizationWrite,
    @Param('id') id: string,
    @Query() query: RawQuery,
    @Res() response: Response,
  ): Promise<void> {
    const projection = projectionIn(this.type, query);
    const resource = await this.search.get(write.orgId, id);
    if (!isNotModified(response, resource.version))
      await this.send(response, 200, write, resource, projection);
  }

  @Put(':id')
  @ScimRoute()
  async replace(
    @CurrentScimWrite() write: OrganizationWrite,
    @Param('id') id: string,
    @Body() body: unknown,
    @Query() query: RawQuery,
    @Headers('if-match') ifMatch: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const projection = projectionIn(this.type, query);
    const resource = await this.writes.replace(write, id, body, ifMatch);
    await this.send(response, 200, write, resource, projection);
  }

  @Patch(':id')
  @ScimRoute()
  async patch(
    @CurrentScimWrite() write: OrganizationWrite,
    @Param('id') id: string,
    @Body() body: unknown,
    @Query() query: RawQuery,
    @Headers('if-match') ifMatch: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const projection = projectionIn(this.type, query);
    const resource = await this.writes.patch(write, id, operationsOf(body), ifMatch);
    if (projection === null && (await this.isTooLarge(resource)))
      return sendNoContent(response, resource.version);
    await this.send(response, 200, write, resource, projection);
  }

  @Delete(':id')
  @ScimRoute()
  async delete(
    @CurrentScimWrite() write: OrganizationWrite,
    @Param('id') id: string,
    @Headers('if-match') ifMatch: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    await this.writes.delete(write, id, ifMatch);
    sendNoContent(response);
  }

  /** Whether a PATCH that requests no attributes answers 204. */
  protected abstract isTooLarge(resource: Resource): Promise<boolean>;

  private baseUrl({ req }: Response): string {
    return scimBaseUrl(req as ApiRequest, this.config);
  }

  private async sendList(response: Response, orgId: string, query: RawQuery): Promise<void> {
    const wanted = listQueryOf(this.type, query);
    const { resources, total } = await this.search.search(orgId, wanted, this.baseUrl(response));
    sendScim(response, 200, listResponse(resources, total, wanted.startIndex));
  }

  private async send(
    response: Response,
    status: number,
    { orgId }: OrganizationWrite,
    resource: Resource,
    projection: Projection | null,
  ): Promise<void> {
    const shown = await this.search.present(orgId, resource, projection, this.baseUrl(response));
    sendResource(response, status, shown, resource.version);
  }
}
