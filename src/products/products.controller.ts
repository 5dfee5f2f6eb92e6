import { Body, Controller, Get, Inject, Param, Post, Req } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiTags,
} from '@nestjs/swagger';
import { AppsService } from '../apps/apps.service.js';
import { RequirePermission } from '../auth/access.js';
import { assertMay } from '../auth/current-principal.js';
import { V2ErrorDto } from '../http/error.dto.js';
import { expandNames } from '../http/expand.js';
import { listPage, pageRequest, singleQueryValue } from '../http/lists.js';
import { PageQuery } from '../http/page-query.js';
import type { ApiRequest } from '../http/request.js';
import { CreateProductDto, ProductDto, ProductListDto } from './product.dto.js';
import type { Product } from './product.entity.js';
import { presentProduct, type ProductExpansion } from './product.presenter.js';
import { ProductsService } from './products.service.js';

const listExpansions = ['items.app', 'items.indicative_price'] as const;
const expansions = ['app', 'indicative_price'] as const;

@ApiTags('Products')
@Controller('v2/projects/:project_id/products')
export class ProductsController {
  constructor(
    @Inject(ProductsService) private readonly products: ProductsService,
    @Inject(AppsService) private readonly apps: AppsService,
  ) {}

  @Get()
  @RequirePermission('project_configuration:products:read')
  @ApiOperation({ operationId: 'listProducts', summary: 'Products, oldest first' })
  @ApiQuery({ name: 'app_id', required: false, type: String, description: 'Only the products of this app.' })
  @ApiQuery({ name: 'expand', required: false, isArray: true, enum: listExpansions })
  @PageQuery()
  @ApiOkResponse({ type: ProductListDto })
  async list(@Param('project_id') projectId: string, @Req() request: ApiRequest): Promise<ProductListDto> {
    const page = pageRequest(request);
    const expand = expandNames(request, listExpansions);
    const appId = singleQueryValue(request.query, 'app_id');
    const rows = await this.products.page(projectId, appId, page);
    const wanted = { app: expand.has('items.app'), price: expand.has('items.indicative_price') };
    const expansion = await this.expansion(request, projectId, rows, wanted);
    return listPage(
      request,
      page,
      rows,
      (row) => presentProduct(row, expansion),
      ({ id }) => id,
    );
  }

  @Post()
  @RequirePermission('project_configuration:products:read_write')
  @ApiOperation({ operationId: 'createProduct', summary: 'Create a product' })
  @ApiQuery({ name: 'expand', required: false, isArray: true, enum: expansions })
  @ApiCreatedResponse({ type: ProductDto })
  @ApiConflictResponse({ type: V2ErrorDto, description: 'The app has a product with this store identifier.' })
  async create(
    @Param('project_id') projectId: string,
    @Body() body: CreateProductDto,
    @Req() request: ApiRequest,
  ): Promise<ProductDto> {
    const expand = expandNames(request, expansions);
    return this.present(request, projectId, await this.products.create(projectId, body), expand);
  }

  @Get(':product_id')
  @RequirePermission('project_configuration:products:read')
  @ApiOperation({ operationId: 'getProduct', summary: 'A product' })
  @ApiQuery({ name: 'expand', required: false, isArray: true, enum: expansions })
  @ApiOkResponse({ type: ProductDto })
  async get(
    @Param('project_id') projectId: string,
    @Param('product_id') productId: string,
    @Req() request: ApiRequest,
  ): Promise<ProductDto> {
    const expand = expandNames(request, expansions);
    return this.present(request, projectId, await this.products.get(projectId, productId), expand);
  }

  private async present(
    request: ApiRequest,
    projectId: string,
    product: Product,
    expand: Set<(typeof expansions)[number]>,
  ): Promise<ProductDto> {
    const wanted = { app: expand.has('app'), price: expand.has('indicative_price') };
    return presentProduct(product, await this.expansion(request, projectId, [product], wanted));
  }

  private async expansion(
    request: ApiRequest,
    projectId: string,
    rows: Product[],
    wanted: { app: boolean; price: boolean },
  ): Promise<ProductExpansion> {
    if (!wanted.app) return { indicativePrice: wanted.price };
    assertMay(request, 'project_configuration:apps:read');
    const apps = await this.apps.byId(
      projectId,
      rows.map(({ appId }) => appId),
    );
    return { indicativePrice: wanted.price, apps };
  }
}
