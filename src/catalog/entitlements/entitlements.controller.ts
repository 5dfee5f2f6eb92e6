import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { assertMay } from '../../platform/auth/current-principal.js';
import { placeByCreation } from '../../platform/http/lists/list-place.js';
import { listPage } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { ProductListDto } from '../products/product.dto.js';
import { presentProduct } from '../products/product.presenter.js';
import {
  CreateEntitlementDto,
  DeletedEntitlementDto,
  EntitlementDto,
  EntitlementListDto,
  GetEntitlementQuery,
  ListEntitlementsQuery,
  ProductIdsDto,
  RenameEntitlementDto,
} from './entitlement.dto.js';
import { presentEntitlement } from './entitlement.presenter.js';
import { EntitlementsService } from './entitlements.service.js';

@ApiTags('Entitlements')
@Controller('v2/projects/:project_id/entitlements')
export class EntitlementsController {
  constructor(private readonly entitlements: EntitlementsService) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:entitlements:read',
    operationId: 'listEntitlements',
    summary: 'List entitlements',
    description:
      'The entitlements of the project, archived ones included, oldest first. `expand` embeds their products and needs the permission to read products.',
    ok: EntitlementListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() query: ListEntitlementsQuery,
    @Req() request: ApiRequest,
  ): Promise<EntitlementListDto> {
    const { expand } = query;
    if (expand.size > 0) assertMay(request, 'project_configuration:products:read');
    const rows = await this.entitlements.page(projectId, query);
    const ids = rows.map(({ id }) => id);
    const products = expand.size > 0 ? await this.entitlements.productsOf(projectId, ids) : null;
    return listPage(
      request,
      query,
      rows,
      (row) => presentEntitlement(row, products?.get(row.id)),
      placeByCreation,
    );
  }

  @Post()
  @V2Route({
    permission: 'project_configuration:entitlements:read_write',
    operationId: 'createEntitlement',
    summary: 'Create an entitlement',
    description: 'Creates an entitlement. Your app asks for it by its lookup key, which cannot be changed.',
    created: EntitlementDto,
    errors: { 409: 'The lookup key is in use.' },
  })
  async create(
    @CurrentWrite() write: ProjectWrite,
    @Body() body: CreateEntitlementDto,
  ): Promise<EntitlementDto> {
    return presentEntitlement(await this.entitlements.create(write, body));
  }

  @Get(':entitlement_id')
  @V2Route({
    permission: 'project_configuration:entitlements:read',
    operationId: 'getEntitlement',
    summary: 'Get an entitlement',
    description: 'An entitlement. `expand` embeds its products and needs the permission to read products.',
    ok: EntitlementDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('entitlement_id') id: string,
    @Query() { expand }: GetEntitlementQuery,
    @Req() request: ApiRequest,
  ): Promise<EntitlementDto> {
    if (expand.size > 0) assertMay(request, 'project_configuration:products:read');
    const entitlement = await this.entitlements.get(projectId, id);
    const products = expand.size > 0 ? await this.entitlements.productsOf(projectId, [id]) : null;
    return presentEntitlement(entitlement, products?.get(id));
  }

  @Post(':entitlement_id')
  @V2Route({
    permission: 'project_configuration:entitlements:read_write',
    operationId: 'renameEntitlement',
    summary: 'Rename an entitlement',
    description: 'Changes the display name of an entitlement. Its lookup key cannot be changed.',
    ok: EntitlementDto,
  })
  async rename(
    @CurrentWrite() write: ProjectWrite,
    @Param('entitlement_id') id: string,
    @Body() body: RenameEntitlementDto,
  ): Promise<EntitlementDto> {
    return presentEntitlement(await this.entitlements.rename(write, id, body.display_name));
  }

  @Delete(':entitlement_id')
  @V2Route({
    permission: 'project_configuration:entitlements:read_write',
    operationId: 'deleteEntitlement',
    summary: 'Delete an entitlement',
    description:
      'Deletes an entitlement; all customers lose it. Its grants end as if they were revoked; purchases stay as they are.',
    ok: DeletedEntitlementDto,
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('entitlement_id') id: string,
  ): Promise<DeletedEntitlementDto> {
    return { object: 'entitlement', id, deleted_at: await this.entitlements.delete(write, id) };
  }

  @Post(':entitlement_id/actions/archive')
  @V2Route({
    permission: 'project_configuration:entitlements:read_write',
    operationId: 'archiveEntitlement',
    summary: 'Archive an entitlement',
    description: 'Archives an entitlement. Customers keep it, but it cannot be attached to more products.',
    ok: EntitlementDto,
  })
  async archive(
    @CurrentWrite() write: ProjectWrite,
    @Param('entitlement_id') id: string,
  ): Promise<EntitlementDto> {
    return presentEntitlement(await this.entitlements.setState(write, id, 'inactive'));
  }

  @Post(':entitlement_id/actions/unarchive')
  @V2Route({
    permission: 'project_configuration:entitlements:read_write',
    operationId: 'unarchiveEntitlement',
    summary: 'Unarchive an entitlement',
    description: 'Makes an archived entitlement active again.',
    ok: EntitlementDto,
  })
  async unarchive(
    @CurrentWrite() write: ProjectWrite,
    @Param('entitlement_id') id: string,
  ): Promise<EntitlementDto> {
    return presentEntitlement(await this.entitlements.setState(write, id, 'active'));
  }

  @Get(':entitlement_id/products')
  @V2Route({
    permission: 'project_configuration:entitlements:read',
    operationId: 'listEntitlementProducts',
    summary: 'List products of an entitlement',
    description: 'The products that unlock an entitlement, oldest first.',
    ok: ProductListDto,
  })
  async listProducts(
    @Param('project_id') projectId: string,
    @Param('entitlement_id') id: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<ProductListDto> {
    const rows = await this.entitlements.productsPage(projectId, id, page);
    return listPage(request, page, rows, (row) => presentProduct(row), placeByCreation);
  }

  @Post(':entitlement_id/actions/attach_products')
  @V2Route({
    permission: 'project_configuration:entitlements:read_write',
    operationId: 'attachEntitlementProducts',
    summary: 'Attach products to an entitlement',
    description: 'Lets products unlock the entitlement, also for customers who bought them already.',
    ok: EntitlementDto,
    errors: { 422: 'The entitlement or a product is archived.' },
  })
  async attach(
    @CurrentWrite() write: ProjectWrite,
    @Param('entitlement_id') id: string,
    @Body() body: ProductIdsDto,
  ): Promise<EntitlementDto> {
    const { entitlement, products } = await this.entitlements.attach(write, id, body.product_ids);
    return presentEntitlement(entitlement, products);
  }

  @Post(':entitlement_id/actions/detach_products')
  @V2Route({
    permission: 'project_configuration:entitlements:read_write',
    operationId: 'detachEntitlementProducts',
    summary: 'Detach products from an entitlement',
    description: 'The products no longer unlock the entitlement, also for customers who bought them already.',
    ok: EntitlementDto,
  })
  async detach(
    @CurrentWrite() write: ProjectWrite,
    @Param('entitlement_id') id: string,
    @Body() body: ProductIdsDto,
  ): Promise<EntitlementDto> {
    const { entitlement, products } = await this.entitlements.detach(write, id, body.product_ids);
    return presentEntitlement(entitlement, products);
  }
}
