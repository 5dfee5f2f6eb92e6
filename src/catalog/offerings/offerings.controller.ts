import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { assertMay } from '../../platform/auth/current-principal.js';
import { placeByCreation } from '../../platform/http/lists/list-place.js';
import { listPage } from '../../platform/http/lists/lists.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { CreatePackageDto, ListPackagesQuery, PackageDto, PackageListDto } from '../packages/package.dto.js';
import { placeOfPackage, presentPackage } from '../packages/package.presenter.js';
import { PackagesService } from '../packages/packages.service.js';
import {
  CreateOfferingDto,
  DeletedOfferingDto,
  GetOfferingQuery,
  ListOfferingsQuery,
  OfferingDto,
  OfferingListDto,
  UnarchiveOfferingDto,
  UpdateOfferingDto,
} from './offering.dto.js';
import type { Offering } from './offering.entity.js';
import { type OfferingExpansion, presentOffering } from './offering.presenter.js';
import { OfferingsService } from './offerings.service.js';

/** Expandable fields of offerings; products are embedded in packages. */
interface Wanted {
  packages: boolean;
  products: boolean;
}

@ApiTags('Offerings')
@Controller('v2/projects/:project_id/offerings')
export class OfferingsController {
  constructor(
    private readonly offerings: OfferingsService,
    private readonly packages: PackagesService,
  ) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:offerings:read',
    operationId: 'listOfferings',
    summary: 'List offerings',
    description:
      'The offerings of the project, archived ones included, oldest first. `expand` embeds packages and products and needs the permissions to read them.',
    ok: OfferingListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() query: ListOfferingsQuery,
    @Req() request: ApiRequest,
  ): Promise<OfferingListDto> {
    const { expand } = query;
    const wanted = { packages: expand.size > 0, products: expand.has('items.package.product') };
    this.assertMayEmbed(request, wanted);
    const rows = await this.offerings.page(projectId, query);
    const ids = rows.map(({ id }) => id);
    const expansion = await this.expansion(projectId, ids, wanted);
    const paywalls = await this.offerings.paywallIds(projectId, ids);
    return listPage(
      request,
      query,
      rows,
      (row) => presentOffering(row, paywalls.get(row.id), expansion),
      placeByCreation,
    );
  }

  @Post()
  @V2Route({
    permission: 'project_configuration:offerings:read_write',
    operationId: 'createOffering',
    summary: 'Create an offering',
    description: 'Creates an offering. The first offering of a project becomes the current one.',
    created: OfferingDto,
    errors: { 409: 'The lookup key is in use.' },
  })
  async create(@CurrentWrite() write: ProjectWrite, @Body() body: CreateOfferingDto): Promise<OfferingDto> {
    return presentOffering(await this.offerings.create(write, body), undefined);
  }

  @Get(':offering_id')
  @V2Route({
    permission: 'project_configuration:offerings:read',
    operationId: 'getOffering',
    summary: 'Get an offering',
    description: 'An offering. `expand` embeds packages and products and needs the permissions to read them.',
    ok: OfferingDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('offering_id') id: string,
    @Query() { expand }: GetOfferingQuery,
    @Req() request: ApiRequest,
  ): Promise<OfferingDto> {
    const wanted = { packages: expand.size > 0, products: expand.has('package.product') };
    this.assertMayEmbed(request, wanted);
    const offering = await this.offerings.get(projectId, id);
    return this.present(offering, await this.expansion(projectId, [id], wanted));
  }

  @Post(':offering_id')
  @V2Route({
    permission: 'project_configuration:offerings:read_write',
    operationId: 'updateOffering',
    summary: 'Change an offering',
    description: 'Changes the display name or metadata of an offering, or makes it the current one.',
    ok: OfferingDto,
    errors: { 422: 'An archived offering cannot be current.' },
  })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @Param('offering_id') id: string,
    @Body() body: UpdateOfferingDto,
  ): Promise<OfferingDto> {
    return this.present(await this.offerings.update(write, id, body));
  }

  @Delete(':offering_id')
  @V2Route({
    permission: 'project_configuration:offerings:read_write',
    operationId: 'deleteOffering',
    summary: 'Delete an offering',
    description: 'Deletes an offering with its packages and the draft of its paywall. Products stay.',
    ok: DeletedOfferingDto,
    errors: { 409: 'Targeting rules or experiments show the offering, or its paywall is published.' },
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('offering_id') id: string,
  ): Promise<DeletedOfferingDto> {
    return { object: 'offering', id, deleted_at: await this.offerings.delete(write, id) };
  }

  @Post(':offering_id/actions/archive')
  @V2Route({
    permission: 'project_configuration:offerings:read_write',
    operationId: 'archiveOffering',
    summary: 'Archive an offering',
    description: 'Hides an offering from the SDKs. The current offering cannot be archived.',
    ok: OfferingDto,
    errors: { 422: 'The current offering cannot be archived.' },
  })
  async archive(@CurrentWrite() write: ProjectWrite, @Param('offering_id') id: string): Promise<OfferingDto> {
    return this.present(await this.offerings.archive(write, id));
  }

  @Post(':offering_id/actions/unarchive')
  @V2Route({
    permission: 'project_configuration:offerings:read_write',
    operationId: 'unarchiveOffering',
    summary: 'Unarchive an offering',
    description:
      'Shows an archived offering to the SDKs again. With `unarchive_referenced_entities`, its archived products too.',
    ok: OfferingDto,
  })
  @ApiBody({ type: UnarchiveOfferingDto, required: false })
  async unarchive(
    @CurrentWrite() write: ProjectWrite,
    @Param('offering_id') id: string,
    @Body() body: UnarchiveOfferingDto,
  ): Promise<OfferingDto> {
    const withProducts = body.unarchive_referenced_entities ?? false;
    return this.present(await this.offerings.unarchive(write, id, withProducts));
  }

  @Get(':offering_id/packages')
  @V2Route({
    permission: 'project_configuration:packages:read',
    operationId: 'listPackages',
    summary: 'List packages of an offering',
    description:
      'The packages of an offering in the order in which SDKs show them. `expand` embeds products and needs the permission to read them.',
    ok: PackageListDto,
  })
  async listPackages(
    @Param('project_id') projectId: string,
    @Param('offering_id') offeringId: string,
    @Query() query: ListPackagesQuery,
    @Req() request: ApiRequest,
  ): Promise<PackageListDto> {
    const { expand } = query;
    if (expand.size > 0) assertMay(request, 'project_configuration:products:read');
    await this.offerings.get(projectId, offeringId);
    const rows = await this.packages.page(projectId, offeringId, query);
    const ids = rows.map(({ id }) => id);
    const products = expand.size > 0 ? await this.packages.productsOf(projectId, ids) : null;
    return listPage(
      request,
      query,
      rows,
      (row) => presentPackage(row, products?.get(row.id)),
      placeOfPackage,
    );
  }

  @Post(':offering_id/packages')
  @V2Route({
    permission: 'project_configuration:packages:read_write',
    operationId: 'createPackage',
    summary: 'Create a package',
    description: 'Adds a package to an offering. Attach products to it afterwards.',
    created: PackageDto,
    errors: { 409: 'The lookup key is in use in this offering.' },
  })
  async createPackage(
    @CurrentWrite() write: ProjectWrite,
    @Param('offering_id') offeringId: string,
    @Body() body: CreatePackageDto,
  ): Promise<PackageDto> {
    return presentPackage(await this.offerings.createPackage(write, offeringId, body));
  }

  private async present(offering: Offering, expansion?: OfferingExpansion): Promise<OfferingDto> {
    const { projectId, id } = offering;
    const paywalls = await this.offerings.paywallIds(projectId, [id]);
    return presentOffering(offering, paywalls.get(id), expansion);
  }

  private assertMayEmbed(request: ApiRequest, wanted: Wanted): void {
    if (wanted.packages) assertMay(request, 'project_configuration:packages:read');
    if (wanted.products) assertMay(request, 'project_configuration:products:read');
  }

  private async expansion(projectId: string, ids: string[], wanted: Wanted): Promise<OfferingExpansion> {
    return wanted.packages ? this.offerings.expansion(projectId, ids, wanted.products) : {};
  }
}
