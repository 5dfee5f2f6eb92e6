import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AppsService } from '../apps/apps.service.js';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { assertMay } from '../../platform/auth/current-principal.js';
import { placeByCreation } from '../../platform/http/lists/list-place.js';
import { listPage } from '../../platform/http/lists/lists.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import {
  CreateProductDto,
  DeletedProductDto,
  GetProductQuery,
  ListProductsQuery,
  ProductDto,
  ProductListDto,
  UpdateProductDto,
  WriteProductQuery,
} from './product.dto.js';
import type { Product } from './product.entity.js';
import { presentProduct, type ProductExpansion } from './product.presenter.js';
import { ProductsService } from './products.service.js';

interface Wanted {
  app: boolean;
  price: boolean;
}

@ApiTags('Products')
@Controller('v2/projects/:project_id/products')
export class ProductsController {
  constructor(
    private readonly products: ProductsService,
    private readonly apps: AppsService,
  ) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:products:read',
    operationId: 'listProducts',
    summary: 'List products',
    description:
      'The products of the project, archived ones included, oldest first. `expand` embeds apps, which needs the permission to read them, or prices.',
    ok: ProductListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() query: ListProductsQuery,
    @Req() request: ApiRequest,
  ): Promise<ProductListDto> {
    const { expand } = query;
    const wanted = { app: expand.has('items.app'), price: expand.has('items.indicative_price') };
    this.assertMayEmbed(request, wanted);
    const rows = await this.products.page(projectId, { appId: query.app_id ?? undefined }, query);
    const expansion = await this.expansion(projectId, rows, wanted);
    return listPage(request, query, rows, (row) => presentProduct(row, expansion), placeByCreation);
  }

  @Post()
  @V2Route({
    permission: 'project_configuration:products:read_write',
    operationId: 'createProduct',
    summary: 'Create a product',
    description:
      'Creates a product of an app, with the identifier it has in the store. A Test Store product also takes a price.',
    created: ProductDto,
    errors: { 409: 'The app has a product with this store identifier.' },
  })
  async create(
    @CurrentWrite() write: ProjectWrite,
    @Body() body: CreateProductDto,
    @Query() query: WriteProductQuery,
    @Req() request: ApiRequest,
  ): Promise<ProductDto> {
    const wanted = this.wanted(request, query);
    return this.present(write.projectId, await this.products.create(write, body), wanted);
  }

  @Get(':product_id')
  @V2Route({
    permission: 'project_configuration:products:read',
    operationId: 'getProduct',
    summary: 'Get a product',
    description:
      'A product. `expand` embeds its app, its price or its number of active subscriptions; the app and the number need further permissions.',
    ok: ProductDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('product_id') productId: string,
    @Query() query: GetProductQuery,
    @Req() request: ApiRequest,
  ): Promise<ProductDto> {
    const wanted = this.wanted(request, query);
    const isCounted = query.expand.has('active_subscriptions');
    if (isCounted) assertMay(request, 'charts_metrics:overview:read');
    const product = await this.products.get(projectId, productId);
    const expansion = await this.expansion(projectId, [product], wanted);
    if (!isCounted) return presentProduct(product, expansion);
    const activeSubscriptions = await this.products.countActiveSubscriptions(projectId, [productId]);
    return presentProduct(product, { ...expansion, activeSubscriptions });
  }

  @Post(':product_id')
  @V2Route({
    permission: 'project_configuration:products:read_write',
    operationId: 'updateProduct',
    summary: 'Change a product',
    description:
      'Changes the name, type, durations or test price of a product. Its app and store identifier cannot be changed.',
    ok: ProductDto,
  })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @Param('product_id') productId: string,
    @Body() body: UpdateProductDto,
    @Query() query: WriteProductQuery,
    @Req() request: ApiRequest,
  ): Promise<ProductDto> {
    const wanted = this.wanted(request, query);
    return this.present(write.projectId, await this.products.update(write, productId, body), wanted);
  }

  @Delete(':product_id')
  @V2Route({
    permission: 'project_configuration:products:read_write',
    operationId: 'deleteProduct',
    summary: 'Delete a product',
    description:
      'Deletes a product. Its purchases stay on record but no longer unlock anything; the audit log records how many subscriptions gave access through it (`active_subscriptions`). To stop offering a product without taking access away, archive it.',
    ok: DeletedProductDto,
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('product_id') productId: string,
  ): Promise<DeletedProductDto> {
    const deletedAtMs = await this.products.delete(write, productId);
    return { object: 'product', id: productId, deleted_at: deletedAtMs };
  }

  @Post(':product_id/actions/archive')
  @V2Route({
    permission: 'project_configuration:products:read_write',
    operationId: 'archiveProduct',
    summary: 'Archive a product',
    description: 'Stops offering a product. Customers who bought it keep what it unlocks.',
    ok: ProductDto,
  })
  async archive(
    @CurrentWrite() write: ProjectWrite,
    @Param('product_id') productId: string,
  ): Promise<ProductDto> {
    return presentProduct(await this.products.setState(write, productId, 'inactive'));
  }

  @Post(':product_id/actions/unarchive')
  @V2Route({
    permission: 'project_configuration:products:read_write',
    operationId: 'unarchiveProduct',
    summary: 'Unarchive a product',
    description: 'Offers an archived product again.',
    ok: ProductDto,
  })
  async unarchive(
    @CurrentWrite() write: ProjectWrite,
    @Param('product_id') productId: string,
  ): Promise<ProductDto> {
    return presentProduct(await this.products.setState(write, productId, 'active'));
  }

  /** Reads the fields that a request expands, before anything is changed. */
  private wanted(request: ApiRequest, { expand }: { expand: ReadonlySet<string> }): Wanted {
    const wanted = { app: expand.has('app'), price: expand.has('indicative_price') };
    this.assertMayEmbed(request, wanted);
    return wanted;
  }

  private assertMayEmbed(request: ApiRequest, { app }: Wanted): void {
    if (app) assertMay(request, 'project_configuration:apps:read');
  }

  private async present(projectId: string, product: Product, wanted: Wanted): Promise<ProductDto> {
    return presentProduct(product, await this.expansion(projectId, [product], wanted));
  }

  private async expansion(projectId: string, rows: Product[], wanted: Wanted): Promise<ProductExpansion> {
    if (!wanted.app) return { indicativePrice: wanted.price };
    const apps = await this.apps.byId(
      projectId,
      rows.map(({ appId }) => appId),
    );
    return { indicativePrice: wanted.price, apps };
  }
}
