import { Controller, Get, Param, Post } from '@nestjs/common';
import { ApiBody, ApiProperty, ApiTags, ApiUnprocessableEntityResponse } from '@nestjs/swagger';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { CatalogService } from '../../snapshot/catalog.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { V2ErrorDto } from '../../../platform/http/errors/error.dto.js';
import { ProductsService } from '../products.service.js';
import { storeKitConfig } from './store-kit-config.js';

class StoreKitConfigDto {
  @ApiProperty({ enum: ['store_kit_config_file'] })
  object: 'store_kit_config_file';

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The content of a `.storekit` file, to test purchases in Xcode with.',
  })
  contents: Record<string, unknown>;
}

@Controller('v2/projects/:project_id')
export class StoreProductsController {
  constructor(
    private readonly catalogs: CatalogService,
    private readonly products: ProductsService,
  ) {}

  @Get('apps/:app_id/store_kit_config')
  @ApiTags('Apps')
  @V2Route({
    permission: 'project_configuration:apps:read',
    operationId: 'getStoreKitConfig',
    summary: 'Get a StoreKit configuration',
    description:
      'A StoreKit configuration file, to test purchases in Xcode without the App Store. It holds the active subscriptions with a length that the App Store sells, and other active products whose price is known from a Test Store product with the same store identifier.',
    ok: StoreKitConfigDto,
    errors: { 422: 'The app is not of type app_store.' },
  })
  async storeKitConfig(
    @Param('project_id') projectId: string,
    @Param('app_id') appId: string,
  ): Promise<StoreKitConfigDto> {
    const catalog = await this.catalogs.get(projectId);
    const app = catalog.apps.get(appId);
    if (!app) throw ApiError.missing('app', appId);
    if (app.type !== 'app_store') {
      throw new ApiError(
        'impossible',
        `StoreKit is for apps of type app_store; this app is of type ${app.type}.`,
      );
    }
    return { object: 'store_kit_config_file', contents: storeKitConfig(catalog, app) };
  }

  @Post('products/:product_id/create_in_store')
  @ApiTags('Products')
  @V2Route({
    permission: 'project_configuration:products:read_write',
    operationId: 'createProductInStore',
    summary: 'Create a product in the store (refused)',
    description: 'Products must be created in the store itself: always answers 422.',
  })
  @ApiBody({
    required: false,
    schema: {
      type: 'object',
      properties: {
        store_information: { type: 'object', additionalProperties: true, description: 'Ignored.' },
      },
      example: { store_information: { duration: 'ONE_MONTH' } },
    },
  })
  @ApiUnprocessableEntityResponse({ type: V2ErrorDto })
  async createInStore(
    @Param('project_id') projectId: string,
    @Param('product_id') productId: string,
  ): Promise<never> {
    await this.products.get(projectId, productId);
    throw new ApiError(
      'impossible',
      'create-product-in-store is not available on this server: create the product in the store itself.',
    );
  }
}
