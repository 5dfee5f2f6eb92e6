import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { assertMay } from '../../platform/auth/current-principal.js';
import { listPage } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import {
  AttachPackageProductsDto,
  DeletedPackageDto,
  DetachPackageProductsDto,
  GetPackageQuery,
  PackageDto,
  PackageProductListDto,
  UpdatePackageDto,
} from './package.dto.js';
import { placeOfPackageProduct, presentPackage, presentPackageProduct } from './package.presenter.js';
import { PackagesService } from './packages.service.js';

@ApiTags('Packages')
@Controller('v2/projects/:project_id/packages/:package_id')
export class PackagesController {
  constructor(private readonly packages: PackagesService) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:packages:read',
    operationId: 'getPackage',
    summary: 'Get a package',
    description: 'A package. `expand` embeds its products and needs the permission to read products.',
    ok: PackageDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('package_id') id: string,
    @Query() { expand }: GetPackageQuery,
    @Req() request: ApiRequest,
  ): Promise<PackageDto> {
    if (expand.size > 0) assertMay(request, 'project_configuration:products:read');
    const row = await this.packages.get(projectId, id);
    const products = expand.size > 0 ? await this.packages.productsOf(projectId, [id]) : null;
    return presentPackage(row, products?.get(id));
  }

  @Post()
  @V2Route({
    permission: 'project_configuration:packages:read_write',
    operationId: 'updatePackage',
    summary: 'Change a package',
    description: 'Changes the display name or the position of a package.',
    ok: PackageDto,
  })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @Param('package_id') id: string,
    @Body() body: UpdatePackageDto,
  ): Promise<PackageDto> {
    return presentPackage(await this.packages.update(write, id, body));
  }

  @Delete()
  @V2Route({
    permission: 'project_configuration:packages:read_write',
    operationId: 'deletePackage',
    summary: 'Delete a package',
    description: 'Removes a package from its offering. Its products stay.',
    ok: DeletedPackageDto,
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('package_id') id: string,
  ): Promise<DeletedPackageDto> {
    return { object: 'package', id, deleted_at: await this.packages.delete(write, id) };
  }

  @Get('products')
  @V2Route({
    permission: 'project_configuration:packages:read',
    operationId: 'listPackageProducts',
    summary: 'List products of a package',
    description: 'The products of a package, in the order in which they were attached.',
    ok: PackageProductListDto,
  })
  async listProducts(
    @Param('project_id') projectId: string,
    @Param('package_id') id: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<PackageProductListDto> {
    const rows = await this.packages.productsPage(projectId, id, page);
    return listPage(request, page, rows, presentPackageProduct, placeOfPackageProduct);
  }

  @Post('actions/attach_products')
  @V2Route({
    permission: 'project_configuration:packages:read_write',
    operationId: 'attachPackageProducts',
    summary: 'Attach products to a package',
    description: 'Puts products into a package, one for each app.',
    ok: PackageDto,
    errors: {
      409: 'The package already has a product of the app for the same SDK versions.',
      422: 'A product is archived.',
    },
  })
  async attach(
    @CurrentWrite() write: ProjectWrite,
    @Param('package_id') id: string,
    @Body() body: AttachPackageProductsDto,
  ): Promise<PackageDto> {
    const { row, products } = await this.packages.attach(write, id, body.products);
    return presentPackage(row, products);
  }

  @Post('actions/detach_products')
  @V2Route({
    permission: 'project_configuration:packages:read_write',
    operationId: 'detachPackageProducts',
    summary: 'Detach products from a package',
    description: 'Removes products from a package. The products stay.',
    ok: PackageDto,
  })
  async detach(
    @CurrentWrite() write: ProjectWrite,
    @Param('package_id') id: string,
    @Body() body: DetachPackageProductsDto,
  ): Promise<PackageDto> {
    const { row, products } = await this.packages.detach(write, id, body.product_ids);
    return presentPackage(row, products);
  }
}
