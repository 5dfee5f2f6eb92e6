import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import type { JsonObject } from '../../../../libs/kernel/index.js';
import { Config } from '../../../platform/config/config.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { sendScim } from '../../../platform/http/pipeline/scim-answer.js';
import type { Schema } from '../protocol/attribute.js';
import { resourceTypes, schemas } from '../protocol/resource-type.js';
import { listResponse, type RawQuery } from '../shared/list-query.js';
import { scimBaseUrl } from '../shared/scim-address.js';
import { ScimRoute } from '../shared/scim.guard.js';
import { presentResourceType, presentSchema, serviceProviderConfig } from './discovery.js';
import { discoverySchemas } from './discovery-schemas.js';

function sendOne(response: Response, found: JsonObject | undefined, what: string): void {
  if (!found) throw new ApiError('missing', `There is no such ${what}.`);
  sendScim(response, 200, found);
}

/** RFC 7644, 4: a filter is rejected with 403. */
function assertNoFilter({ filter }: RawQuery): void {
  if (filter !== undefined) throw new ApiError('forbidden', 'This resource does not support filters.');
}

/** Capabilities of the service (RFC 7644). Described by `/scim/v2/Schemas` instead of OpenAPI. */
@ApiExcludeController()
@Controller('scim/v2')
export class ScimDiscoveryController {
  constructor(private readonly config: Config) {}

  @Get('ServiceProviderConfig')
  @ScimRoute()
  configuration(@Query() query: RawQuery, @Req() request: ApiRequest, @Res() response: Response): void {
    assertNoFilter(query);
    sendScim(response, 200, serviceProviderConfig(scimBaseUrl(request, this.config)));
  }

  @Get('ResourceTypes')
  @ScimRoute()
  resourceTypes(@Query() query: RawQuery, @Req() request: ApiRequest, @Res() response: Response): void {
    assertNoFilter(query);
    const all = this.allTypes(request);
    sendScim(response, 200, listResponse(all, all.length));
  }

  @Get('ResourceTypes/:id')
  @ScimRoute()
  resourceType(
    @Param('id') id: string,
    @Query() query: RawQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): void {
    assertNoFilter(query);
    sendOne(
      response,
      this.allTypes(request).find((type) => type.id === id),
      'resource type',
    );
  }

  @Get('Schemas')
  @ScimRoute()
  schemas(@Query() query: RawQuery, @Req() request: ApiRequest, @Res() response: Response): void {
    assertNoFilter(query);
    const all = this.presented(schemas, request);
    sendScim(response, 200, listResponse(all, all.length));
  }

  /** The list omits the schemas of discovery, because clients assume that every listed schema can be provisioned. */
  @Get('Schemas/:id')
  @ScimRoute()
  schema(
    @Param('id') id: string,
    @Query() query: RawQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): void {
    assertNoFilter(query);
    sendOne(
      response,
      this.presented([...schemas, ...discoverySchemas], request).find((schema) => schema.id === id),
      'schema',
    );
  }

  private allTypes(request: ApiRequest): JsonObject[] {
    return resourceTypes.map((type) => presentResourceType(type, scimBaseUrl(request, this.config)));
  }

  private presented(described: readonly Schema[], request: ApiRequest): JsonObject[] {
    return described.map((schema) => presentSchema(schema, scimBaseUrl(request, this.config)));
  }
}
