import { Body, Controller, Get, Param, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { presentProduct } from '../../catalog/products/product.presenter.js';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { completeList } from '../../platform/http/lists/lists.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import {
  ImportStoreProductsDto,
  StoreProductComparisonDto,
  StoreProductImportDto,
  StoreProductListDto,
} from './store-listing.dto.js';
import { presentComparison, presentStoreProduct } from './store-listing.presenter.js';
import { StoreListingsService } from './store-listings.service.js';

const errors = {
  422: 'The app has no credentials for this, the store refuses them or requires a permission, the store has more than 5,000 products, or this server cannot list the products of the store.',
  503: 'The store cannot be reached or limits the calls. `Retry-After` says how long to wait.',
};

@ApiTags('Products')
@Controller('v2/projects/:project_id/apps/:app_id/store_products')
export class StoreListingsController {
  constructor(private readonly listings: StoreListingsService) {}

  @Get()
  @V2Route({
    permission: ['project_configuration:products:read', 'project_configuration:apps:read'],
    operationId: 'listStoreProducts',
    summary: 'List the products of a store',
    description:
      "Asks the store of an app (App Store, Google Play, Stripe or Paddle) for its products with the app's credentials, and says which are here already. The list has one page with up to 5,000 products, by identifier. Nothing is stored.",
    ok: StoreProductListDto,
    errors,
  })
  async list(
    @Param('project_id') projectId: string,
    @Param('app_id') appId: string,
    @Req() request: ApiRequest,
  ): Promise<StoreProductListDto> {
    const { listing, here } = await this.listings.list(projectId, appId);
    return completeList(
      request,
      listing.map((listed) => presentStoreProduct(listed, here)),
    );
  }

  @Post('actions/import')
  @V2Route({
    permission: ['project_configuration:products:read_write', 'project_configuration:apps:read'],
    operationId: 'importStoreProducts',
    summary: 'Import products of a store',
    description:
      'Creates products with the names and durations that they have in the store. Those that exist here stay unchanged.',
    created: StoreProductImportDto,
    errors: { ...errors, 404: 'No such app, or the store does not have one of the products.' },
  })
  async import(
    @CurrentWrite() write: ProjectWrite,
    @Param('app_id') appId: string,
    @Body() body: ImportStoreProductsDto,
  ): Promise<StoreProductImportDto> {
    const { created, existing } = await this.listings.import(write, appId, body);
    return {
      object: 'store_product_import',
      created: created.map((product) => presentProduct(product)),
      existing: existing.map((product) => presentProduct(product)),
    };
  }

  @Get('comparison')
  @V2Route({
    permission: ['project_configuration:products:read', 'project_configuration:apps:read'],
    operationId: 'compareStoreProducts',
    summary: 'Compare products with a store',
    description:
      'Compares the products of an app with those of its store: which are missing on either side, and where type, duration or state differ.',
    ok: StoreProductComparisonDto,
    errors,
  })
  async compare(
    @Param('project_id') projectId: string,
    @Param('app_id') appId: string,
  ): Promise<StoreProductComparisonDto> {
    return presentComparison(appId, await this.listings.compare(projectId, appId));
  }
}
