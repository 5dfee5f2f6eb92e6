import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Req } from '@nestjs/common';
import { ApiBody, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { Config } from '../../platform/config/config.js';
import { placeByCreation } from '../../platform/http/lists/list-place.js';
import { listPage } from '../../platform/http/lists/lists.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import type { OfferingDto } from '../offerings/offering.dto.js';
import { presentOffering } from '../offerings/offering.presenter.js';
import { OfferingsService } from '../offerings/offerings.service.js';
import { PaywallPublishingService } from './paywall-publishing.service.js';
import {
  CreatePaywallDto,
  DeletedPaywallDto,
  GetPaywallQuery,
  ListPaywallsQuery,
  ListPaywallVersionsQuery,
  PaywallDto,
  PaywallErrorDto,
  PaywallListDto,
  PaywallVersionListDto,
  PublishPaywallDto,
  UpdatePaywallDto,
} from './paywall.dto.js';
import { presentPaywall, presentVersion } from './paywall.presenter.js';
import { PaywallsService } from './paywalls.service.js';

@ApiTags('Paywalls')
@Controller('v2/projects/:project_id/paywalls')
export class PaywallsController {
  constructor(
    private readonly paywalls: PaywallsService,
    private readonly publishing: PaywallPublishingService,
    private readonly offerings: OfferingsService,
    private readonly config: Config,
  ) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:offerings:read',
    operationId: 'listPaywalls',
    summary: 'List paywalls',
    description:
      'The paywalls of the project, oldest first. `expand=items.problems` adds the problems of their drafts.',
    ok: PaywallListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() query: ListPaywallsQuery,
    @Req() request: ApiRequest,
  ): Promise<PaywallListDto> {
    const rows = await this.paywalls.page(projectId, query.offering_id, query);
    const offeringIds = rows.map(({ offeringId }) => offeringId);
    const offerings = query.expand.has('items.offering')
      ? await this.offeringsOf(projectId, offeringIds)
      : null;
    const reviews = query.expand.has('items.problems') ? await this.paywalls.reviews(projectId, rows) : null;
    const present = (row: (typeof rows)[number]): PaywallDto =>
      presentPaywall(row, this.config.baseUrl, {
        offering: offerings?.get(row.offeringId),
        review: reviews?.get(row.id),
      });
    return listPage(request, query, rows, present, placeByCreation);
  }

  @Post()
  @V2Route({
    permission: 'project_configuration:offerings:read_write',
    operationId: 'createPaywall',
    summary: 'Create a paywall',
    description: 'Creates a paywall with a draft. SDKs receive it once it is published.',
    created: PaywallDto,
    errors: { 409: 'The offering has a paywall.', 422: 'The offering is archived.' },
  })
  async create(@CurrentWrite() write: ProjectWrite, @Body() body: CreatePaywallDto): Promise<PaywallDto> {
    return presentPaywall(await this.paywalls.create(write, body), this.config.baseUrl);
  }

  @Get(':paywall_id')
  @V2Route({
    permission: 'project_configuration:offerings:read',
    operationId: 'getPaywall',
    summary: 'Get a paywall',
    description: 'A paywall. `expand=components` embeds its published version, its draft and their problems.',
    ok: PaywallDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('paywall_id') id: string,
    @Query() { expand }: GetPaywallQuery,
  ): Promise<PaywallDto> {
    const content = expand.has('components') ? await this.paywalls.getContent(projectId, id) : undefined;
    const paywall = content?.paywall ?? (await this.paywalls.get(projectId, id));
    const { offeringId } = paywall;
    const offering = expand.has('offering')
      ? (await this.offeringsOf(projectId, [offeringId])).get(offeringId)
      : undefined;
    return presentPaywall(paywall, this.config.baseUrl, { offering, content });
  }

  @Patch(':paywall_id')
  @V2Route({
    permission: 'project_configuration:offerings:read_write',
    operationId: 'updatePaywall',
    summary: 'Change a paywall',
    description:
      'Changes the draft, or starts one from the published version. A field replaces that field; null removes it. A draft with errors is saved too: the answer lists its `problems`.',
    ok: PaywallDto,
    errors: { 409: 'The paywall has another revision by now, or the offering has a paywall.' },
  })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @Param('paywall_id') id: string,
    @Body() body: UpdatePaywallDto,
  ): Promise<PaywallDto> {
    const content = await this.paywalls.update(write, id, body);
    return presentPaywall(content.paywall, this.config.baseUrl, { content });
  }

  @Delete(':paywall_id')
  @V2Route({
    permission: 'project_configuration:offerings:read_write',
    operationId: 'deletePaywall',
    summary: 'Delete a paywall',
    description: 'Deletes a paywall with its versions.',
    ok: DeletedPaywallDto,
    errors: { 409: 'The paywall is published.' },
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('paywall_id') id: string,
  ): Promise<DeletedPaywallDto> {
    return { object: 'paywall', id, deleted_at: await this.paywalls.delete(write, id) };
  }

  @Post(':paywall_id/actions/publish')
  @V2Route({
    permission: 'project_configuration:offerings:read_write',
    operationId: 'publishPaywall',
    summary: 'Publish a paywall',
    description: 'Makes the draft what SDKs receive. Without a draft, nothing changes.',
    ok: PaywallDto,
    errors: { 409: 'The paywall has another revision by now.' },
  })
  @ApiResponse({
    status: 422,
    type: PaywallErrorDto,
    description: 'The draft has errors, the offering is archived, or the project has too many paywalls.',
  })
  @ApiBody({ type: PublishPaywallDto, required: false })
  async publish(
    @CurrentWrite() write: ProjectWrite,
    @Param('paywall_id') id: string,
    @Body() { revision }: PublishPaywallDto,
  ): Promise<PaywallDto> {
    return presentPaywall(await this.publishing.publish(write, id, revision ?? null), this.config.baseUrl);
  }

  @Post(':paywall_id/actions/unpublish')
  @V2Route({
    permission: 'project_configuration:offerings:read_write',
    operationId: 'unpublishPaywall',
    summary: 'Unpublish a paywall',
    description: 'SDKs no longer receive the paywall. Its content becomes the draft, unless there is one.',
    ok: PaywallDto,
  })
  async unpublish(@CurrentWrite() write: ProjectWrite, @Param('paywall_id') id: string): Promise<PaywallDto> {
    return presentPaywall(await this.publishing.unpublish(write, id), this.config.baseUrl);
  }

  @Get(':paywall_id/versions')
  @V2Route({
    permission: 'project_configuration:offerings:read',
    operationId: 'listPaywallVersions',
    summary: 'List published versions of a paywall',
    description:
      'The newest 100 published versions, newest first. To restore one, send its components to `PATCH …/paywalls/{paywall_id}`.',
    ok: PaywallVersionListDto,
  })
  async versions(
    @Param('project_id') projectId: string,
    @Param('paywall_id') id: string,
    @Query() query: ListPaywallVersionsQuery,
    @Req() request: ApiRequest,
  ): Promise<PaywallVersionListDto> {
    const paywall = await this.paywalls.get(projectId, id);
    const rows = await this.paywalls.versions(paywall, query, query.expand.size > 0);
    return listPage(
      request,
      query,
      rows,
      (row) => presentVersion(row, paywall, this.config.baseUrl),
      ({ revision }) => [String(revision)],
    );
  }

  private async offeringsOf(projectId: string, ids: string[]): Promise<Map<string, OfferingDto>> {
    const offerings = await this.offerings.findMany(projectId, ids);
    const paywalls = await this.offerings.paywallIds(projectId, ids);
    return new Map(offerings.map((row) => [row.id, presentOffering(row, paywalls.get(row.id))]));
  }
}
