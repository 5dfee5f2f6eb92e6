import { Body, Controller, Get, Param, Patch, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../../platform/audit/project-write.js';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { listPage, pageOfAll } from '../../../platform/http/lists/lists.js';
import { PageQuery } from '../../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import {
  CreateTestStorePricesDto,
  ProductPriceDto,
  ProductPriceListDto,
  TestStorePricesDto,
  UpdateProductPriceDto,
} from './product-price.dto.js';
import type { ProductPrice } from './product-price.entity.js';
import { presentProductPrice, presentTestStorePrices } from './product-price.presenter.js';
import { ProductPricesService } from './product-prices.service.js';

const ofOtherStores = { 422: 'The product belongs to another store.' };

@ApiTags('Products')
@Controller('v2/projects/:project_id/products/:product_id')
export class ProductPricesController {
  constructor(private readonly prices: ProductPricesService) {}

  @Get('test_store_prices')
  @V2Route({
    permission: 'project_configuration:products:read',
    operationId: 'listProductPrices',
    summary: 'Get the test prices of a product',
    description: 'The prices of a Test Store product, by currency.',
    ok: TestStorePricesDto,
    errors: ofOtherStores,
  })
  async getTestStorePrices(
    @Param('project_id') projectId: string,
    @Param('product_id') productId: string,
  ): Promise<TestStorePricesDto> {
    return presentTestStorePrices(productId, await this.prices.listOfTestStore(projectId, productId));
  }

  @Post('test_store_prices')
  @V2Route({
    permission: 'project_configuration:products:read_write',
    operationId: 'createProductPrices',
    summary: 'Set the test prices of a product',
    description:
      "Sets the prices of a Test Store product that has none. The Test Store sells at the price in the currency that the SDK asks for, else at the default price: the one in USD, else the first by currency. The default price is the product's `test_store_price` and `indicative_price`. To start over, update the product with `test_store_price: null`.",
    created: TestStorePricesDto,
    errors: { ...ofOtherStores, 409: 'The product already has prices.' },
  })
  async create(
    @CurrentWrite() write: ProjectWrite,
    @Param('product_id') productId: string,
    @Body() body: CreateTestStorePricesDto,
  ): Promise<TestStorePricesDto> {
    return presentTestStorePrices(productId, await this.prices.create(write, productId, body));
  }

  @Get('prices')
  @V2Route({
    permission: 'project_configuration:products:read',
    operationId: 'listPrices',
    summary: 'List prices of a product',
    description: 'The prices of a Test Store product, by currency. Empty for products of other stores.',
    ok: ProductPriceListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Param('product_id') productId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<ProductPriceListDto> {
    const all = await this.prices.list(projectId, productId);
    const keyOf = ({ currency }: ProductPrice): string => currency;
    return listPage(request, page, pageOfAll(all, page, keyOf), presentProductPrice, (row) => [keyOf(row)]);
  }

  @Patch('prices/:currency')
  @V2Route({
    permission: 'project_configuration:products:read_write',
    operationId: 'updateProductPrice',
    summary: 'Change a price of a product',
    description:
      'Changes the amount of a price of a Test Store product. Subscriptions that renew keep the price of their last period.',
    ok: ProductPriceDto,
    errors: ofOtherStores,
  })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @Param('product_id') productId: string,
    @Param('currency') currency: string,
    @Body() body: UpdateProductPriceDto,
  ): Promise<ProductPriceDto> {
    return presentProductPrice(await this.prices.update(write, productId, currency, body));
  }
}
