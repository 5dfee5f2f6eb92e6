import { Body, Controller, Delete, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags, ApiTooManyRequestsResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { Config } from '../../../platform/config/config.js';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { V2ErrorDto } from '../../../platform/http/errors/error.dto.js';
import { listPage } from '../../../platform/http/lists/lists.js';
import { PageQuery } from '../../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { CurrentOrganizationWrite, OrganizationAccess } from '../../access/organization-access.js';
import type { OrganizationWrite } from '../../access/organization-write.js';
import {
  AddSsoDomainDto,
  CheckedSsoDomainDto,
  DeletedSsoDomainDto,
  SsoDomainDto,
  SsoDomainListDto,
} from './sso-domain.dto.js';
import { presentSsoDomain } from './sso-domain.presenter.js';
import { placeOfDomain, SsoDomainsService } from './sso-domains.service.js';

@ApiTags('Single sign-on')
@Controller('v2/organizations/:org_id/sso/domains')
export class SsoDomainsController {
  constructor(
    private readonly domains: SsoDomainsService,
    private readonly config: Config,
  ) {}

  @Get()
  @OrganizationAccess('admin', 'sso')
  @V2Route({
    operationId: 'listSsoDomains',
    summary: 'List domains',
    description:
      'The mail domains of the organization, oldest first, each with the TXT record that proves it.',
    ok: SsoDomainListDto,
  })
  async list(
    @Param('org_id') orgId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<SsoDomainListDto> {
    const rows = await this.domains.page(orgId, page);
    return listPage(
      request,
      page,
      rows,
      (row) => presentSsoDomain(row, this.config.ssoTxtPrefix),
      placeOfDomain,
    );
  }

  @Post()
  @OrganizationAccess('admin', 'sso')
  @V2Route({
    operationId: 'addSsoDomain',
    summary: 'Add a domain',
    description:
      'People can only sign in with addresses on verified domains. Create the record in `txt_record`, then check it. A domain that the organization already has is returned with 200.',
    created: SsoDomainDto,
    errors: {
      409: 'Another organization has verified the domain.',
      422: 'The organization has a hundred domains.',
    },
  })
  @ApiOkResponse({ type: SsoDomainDto, description: 'The organization already has the domain.' })
  async add(
    @CurrentOrganizationWrite() write: OrganizationWrite,
    @Body() { domain: text }: AddSsoDomainDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SsoDomainDto> {
    const { domain, isNew } = await this.domains.add(write, text);
    response.status(isNew ? 201 : 200);
    return presentSsoDomain(domain, this.config.ssoTxtPrefix);
  }

  @Post(':domain/actions/verify')
  @V2Route({
    operationId: 'verifySsoDomain',
    summary: 'Check a domain',
    description:
      'Looks up the TXT record. Always answers 200: see `verified`, `last_error` and `found`. A verified domain stays verified. At most ten checks a minute.',
    ok: CheckedSsoDomainDto,
    errors: { 409: 'Another organization has verified the domain.' },
  })
  @OrganizationAccess('admin', 'sso')
  @ApiTooManyRequestsResponse({ type: V2ErrorDto })
  async verify(
    @CurrentOrganizationWrite() write: OrganizationWrite,
    @Param('domain') name: string,
  ): Promise<CheckedSsoDomainDto> {
    const { domain, found } = await this.domains.check(write, name);
    return { ...presentSsoDomain(domain, this.config.ssoTxtPrefix), found: { txt: found } };
  }

  @Delete(':domain')
  @OrganizationAccess('admin', 'sso')
  @V2Route({
    operationId: 'deleteSsoDomain',
    summary: 'Remove a domain',
    description: 'People with addresses on it can no longer sign in through the identity provider.',
    ok: DeletedSsoDomainDto,
    errors: { 422: 'It is the last verified domain, and single sign-on is enforced.' },
  })
  async delete(
    @CurrentOrganizationWrite() write: OrganizationWrite,
    @Param('domain') name: string,
  ): Promise<DeletedSsoDomainDto> {
    const { domain, deletedAtMs } = await this.domains.delete(write, name);
    return { object: 'sso_domain', id: domain, deleted_at: deletedAtMs };
  }
}
