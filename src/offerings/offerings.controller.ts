import { Body, Controller, Get, Inject, Param, Post, Req } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiTags,
} from '@nestjs/swagger';
import { RequirePermission } from '../auth/access.js';
import { assertMay } from '../auth/current-principal.js';
import { V2ErrorDto } from '../http/error.dto.js';
import { expandNames } from '../http/expand.js';
import { listPage, pageRequest } from '../http/lists.js';
import { PageQuery } from '../http/page-query.js';
import type { ApiRequest } from '../http/request.js';
import { CreatePackageDto, PackageDto, PackageListDto } from '../packages/package.dto.js';
import { presentPackage } from '../packages/package.presenter.js';
import { PackagesService } from '../packages/packages.service.js';
import { CreateOfferingDto, OfferingDto, OfferingListDto } from './offering.dto.js';
import { type OfferingExpansion, presentOffering } from './offering.presenter.js';
import { OfferingsService } from './offerings.service.js';

@ApiTags('Offerings')
@Controller('v2/projects/:project_id/offerings')
export class OfferingsController {
  constructor(
    @Inject(OfferingsService) private readonly offerings: OfferingsService,
    @Inject(PackagesService) private readonly packages: PackagesService,
  ) {}

  @Get()
  @RequirePermission('project_configuration:offerings:read')
  @ApiOperation({ operationId: 'listOfferings', summary: 'Offerings, oldest first, archived ones too' })
  @ApiQuery({
    name: 'expand',
    required: false,
    isArray: true,
    enum: ['items.package', 'items.package.product'],
  })
  @PageQuery()
  @ApiOkResponse({ type: OfferingListDto })
  async list(@Param('project_id') projectId: string, @Req() request: ApiRequest): Promise<OfferingListDto> {
    const page = pageRequest(request);
    const expand = expandNames(request, ['items.package', 'items.package.product']);
    const rows = await this.offerings.page(projectId, page);
    const ids = rows.map(({ id }) => id);
    const wanted = { packages: expand.size > 0, products: expand.has('items.package.product') };
    const expansion = await this.expansion(request, projectId, ids, wanted);
    return listPage(
      request,
      page,
      rows,
      (row) => presentOffering(row, expansion),
      ({ id }) => id,
    );
  }

  @Post()
  @RequirePermission('project_configuration:offerings:read_write')
  @ApiOperation({ operationId: 'createOffering', summary: 'Create an offering' })
  @ApiCreatedResponse({ type: OfferingDto })
  @ApiConflictResponse({ type: V2ErrorDto, description: 'The lookup key is in use.' })
  async create(
    @Param('project_id') projectId: string,
    @Body() body: CreateOfferingDto,
  ): Promise<OfferingDto> {
    return presentOffering(await this.offerings.create(projectId, body));
  }

  @Get(':offering_id')
  @RequirePermission('project_configuration:offerings:read')
  @ApiOperation({ operationId: 'getOffering', summary: 'An offering' })
  @ApiQuery({ name: 'expand', required: false, isArray: true, enum: ['package', 'package.product'] })
  @ApiOkResponse({ type: OfferingDto })
  async get(
    @Param('project_id') projectId: string,
    @Param('offering_id') id: string,
    @Req() request: ApiRequest,
  ): Promise<OfferingDto> {
    const expand = expandNames(request, ['package', 'package.product']);
    const offering = await this.offerings.get(projectId, id);
    const wanted = { packages: expand.size > 0, products: expand.has('package.product') };
    return presentOffering(offering, await this.expansion(request, projectId, [id], wanted));
  }

  @Get(':offering_id/packages')
  @RequirePermission('project_configuration:packages:read')
  @ApiOperation({
    operationId: 'listPackages',
    summary: 'Packages of an offering, in the order the SDKs show them',
  })
  @ApiQuery({ name: 'expand', required: false, isArray: true, enum: ['items.product'] })
  @PageQuery()
  @ApiOkResponse({ type: PackageListDto })
  async listPackages(
    @Param('project_id') projectId: string,
    @Param('offering_id') offeringId: string,
    @Req() request: ApiRequest,
  ): Promise<PackageListDto> {
    const page = pageRequest(request);
    const expand = expandNames(request, ['items.product']);
    if (expand.size > 0) assertMay(request, 'project_configuration:products:read');
    await this.offerings.get(projectId, offeringId);
    const rows = await this.packages.page(projectId, offeringId, page);
    const ids = rows.map(({ id }) => id);
    const products = expand.size > 0 ? await this.packages.productsOf(projectId, ids) : null;
    return listPage(
      request,
      page,
      rows,
      (row) => presentPackage(row, products?.get(row.id)),
      ({ id }) => id,
    );
  }

  @Post(':offering_id/packages')
  @RequirePermission('project_configuration:packages:read_write')
  @ApiOperation({ operationId: 'createPackage', summary: 'Add a package to an offering' })
  @ApiCreatedResponse({ type: PackageDto })
  @ApiConflictResponse({ type: V2ErrorDto, description: 'The lookup key is in use in this offering.' })
  async createPackage(
    @Param('project_id') projectId: string,
    @Param('offering_id') offeringId: string,
    @Body() body: CreatePackageDto,
  ): Promise<PackageDto> {
    return presentPackage(await this.offerings.createPackage(projectId, offeringId, body));
  }

  private async expansion(
    request: ApiRequest,
    projectId: string,
    ids: string[],
    wanted: { packages: boolean; products: boolean },
  ): Promise<OfferingExpansion> {
    if (!wanted.packages) return {};
    assertMay(request, 'project_configuration:packages:read');
    if (wanted.products) assertMay(request, 'project_configuration:products:read');
    return this.offerings.expansion(projectId, ids, wanted.products);
  }
}
