import { Controller, Get, Param, Patch, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { SdkAccess, SdkOrCustomerAccess } from '../../platform/auth/access.js';
import { SdkCatalogService } from '../../catalog/snapshot/sdk-catalog.service.js';
import { sdkClientOf } from '../../catalog/snapshot/sdk-client.js';
import { assertAppUserId } from '../../platform/http/bodies/app-user-id.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sendSdkJson } from '../../platform/http/pipeline/sdk-answer.js';
import { FixedAnswer, NO_OFFERING_PRODUCTS } from './fixed-answer.js';

const nothing = { type: 'null', nullable: true } as const;

class BrandingDto {
  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: String })
  app_name: string;

  @ApiProperty(nothing)
  app_icon: null;

  @ApiProperty(nothing)
  app_icon_webp: null;

  @ApiProperty(nothing)
  app_wordmark: null;

  @ApiProperty(nothing)
  app_wordmark_webp: null;

  @ApiProperty(nothing)
  appearance: null;

  @ApiProperty({ type: String, nullable: true })
  support_email: string | null;

  @ApiProperty({ enum: [false] })
  gateway_tax_collection_enabled: false;

  @ApiProperty(nothing)
  brand_font_config: null;
}

/** The web SDK presents this code as a failed purchase, and others as a configuration error or an existing purchase. */
function noPayments(): never {
  throw new ApiError('invalid_request', 'This server does not accept web payments.', { code: 7878 });
}

function noSession(): never {
  throw new ApiError('invalid_request', 'There is no such web checkout.', { code: 7877 });
}

/** Web checkout is not supported. Each call returns an error that its SDK can present. */
@ApiTags('SDK')
@Controller('rcbilling/v1')
export class WebBillingV1Controller {
  constructor(
    private readonly catalog: SdkCatalogService,
    private readonly apps: AppsService,
  ) {}

  @Get('branding')
  @SdkAccess('project_configuration:apps:read')
  @ApiOperation({
    operationId: 'getBranding',
    summary: 'Get the name of an app for the checkout',
    description: 'The name of the calling app, which web SDKs show in their checkout dialog.',
  })
  @ApiOkResponse({ type: BrandingDto })
  async branding(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const { catalog, app } = await this.catalog.caller(sdkClientOf(request));
    const { storeSettings } = await this.apps.get(catalog.projectId, app.id);
    const branding: BrandingDto = {
      id: app.id,
      app_name: storeSettings.app_name ?? app.name,
      app_icon: null,
      app_icon_webp: null,
      app_wordmark: null,
      app_wordmark_webp: null,
      appearance: null,
      support_email: storeSettings.support_email ?? null,
      gateway_tax_collection_enabled: false,
      brand_font_config: null,
    };
    sendSdkJson(response, 200, JSON.stringify(branding));
  }

  @Get('subscribers/:app_user_id/offering_products')
  @SdkOrCustomerAccess()
  @ApiOperation({
    operationId: 'getOfferingProducts',
    summary: 'List further web products (none)',
    description:
      'Web products are part of offerings here, so this list, which web SDKs also ask for, is always empty.',
  })
  @FixedAnswer(NO_OFFERING_PRODUCTS)
  offeringProducts(@Param('app_user_id') appUserId: string, @Res() response: Response): void {
    assertAppUserId(appUserId);
    sendSdkJson(response, 200, JSON.stringify(NO_OFFERING_PRODUCTS));
  }

  @Post('checkout/prepare')
  @SdkAccess()
  @ApiOperation({
    operationId: 'prepareCheckout',
    summary: 'Prepare a web checkout (refused)',
    description:
      'Web billing is not offered, so no checkout can be prepared. The answer is always an error with code 7878.',
  })
  prepare(): void {
    noPayments();
  }

  @Post('checkout/start')
  @SdkAccess()
  @ApiOperation({
    operationId: 'startCheckout',
    summary: 'Start a web checkout (refused)',
    description:
      'Web billing is not offered, so no checkout can be started. The answer is always an error with code 7878.',
  })
  start(): void {
    noPayments();
  }

  @Post('purchase')
  @SdkAccess()
  @ApiOperation({
    operationId: 'startWebPurchase',
    summary: 'Start a web purchase (refused)',
    description:
      'The call of older web SDKs. Web billing is not offered: the answer is always an error with code 7878.',
  })
  purchase(): void {
    noPayments();
  }

  @Post('hosted-checkout')
  @SdkAccess()
  @ApiOperation({
    operationId: 'startHostedCheckout',
    summary: 'Start a hosted checkout (refused)',
    description:
      'Web billing is not offered, so no hosted checkout can be started. The answer is always an error with code 7878.',
  })
  startHosted(): void {
    noPayments();
  }

  @Get('checkout/:operation')
  @SdkAccess()
  @ApiOperation({
    operationId: 'getCheckout',
    summary: 'Get a web checkout (none)',
    description:
      'Web billing is not offered, so no checkout exists. The answer is always an error with code 7877.',
  })
  get(): void {
    noSession();
  }

  @Patch('checkout/:operation')
  @SdkAccess()
  @ApiOperation({
    operationId: 'updateCheckout',
    summary: 'Change a web checkout (none)',
    description:
      'Web billing is not offered, so no checkout exists. The answer is always an error with code 7877.',
  })
  update(): void {
    noSession();
  }

  @Post('checkout/:operation/complete')
  @SdkAccess()
  @ApiOperation({
    operationId: 'completeCheckout',
    summary: 'Complete a web checkout (none)',
    description:
      'Web billing is not offered, so no checkout exists. The answer is always an error with code 7877.',
  })
  complete(): void {
    noSession();
  }

  @Get('hosted-checkout/:operation')
  @SdkAccess()
  @ApiOperation({
    operationId: 'getHostedCheckout',
    summary: 'Get a hosted checkout (none)',
    description:
      'Web billing is not offered, so no hosted checkout exists. The answer is always an error with code 7877.',
  })
  getHosted(): void {
    noSession();
  }

  @Get('hosted-checkout/:operation/payment-status')
  @SdkAccess()
  @ApiOperation({
    operationId: 'getHostedCheckoutStatus',
    summary: 'Get the payment status of a hosted checkout (none)',
    description:
      'Web billing is not offered, so no hosted checkout exists. The answer is always an error with code 7877.',
  })
  hostedStatus(): void {
    noSession();
  }

  @Post(['subscription/change', 'subscription/change/*step'])
  @SdkAccess()
  @ApiExcludeEndpoint()
  change(): never {
    throw new ApiError(
      'missing',
      'Subscriptions cannot be changed here: this server does not accept web payments.',
    );
  }
}
