import { Controller, Get, Header, NotFoundException, Param, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { PAYWALL_ICONS_PATH, paywallIconNames } from '../../../libs/paywalls/index.js';
import { Anonymous } from '../../platform/auth/access.js';
import { Config } from '../../platform/config/config.js';
import { PaywallIconFilesService } from './paywall-icon-files.service.js';

class PaywallIconsDto {
  @ApiProperty({
    type: String,
    description: '`base_url` of an icon component.',
    example: 'https://tenure.example.com/paywall-icons',
  })
  base_url: string;

  @ApiProperty({
    type: [String],
    description: 'Values of `icon_name`. Each icon is at `{base_url}/{icon_name}.svg`, `.png` and `.webp`.',
    example: ['bell', 'lock-open', 'star'],
  })
  icon_names: readonly string[];
}

const headers = {
  'Access-Control-Allow-Origin': '*',
  // Names have no version: an icon that looks different gets a name of its own.
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Icons of paywalls. Phones and browsers on other origins load them. */
@ApiTags('Paywalls')
@Controller(PAYWALL_ICONS_PATH)
export class PaywallIconsController {
  constructor(
    private readonly files: PaywallIconFilesService,
    private readonly config: Config,
  ) {}

  @Get()
  @Anonymous()
  @Header('Access-Control-Allow-Origin', '*')
  @ApiOperation({
    operationId: 'listPaywallIcons',
    summary: 'List icons for paywalls',
    description: 'Names of the icons that this server has. Needs no credential.',
  })
  @ApiOkResponse({ type: PaywallIconsDto })
  list(): PaywallIconsDto {
    return { base_url: this.config.baseUrl + PAYWALL_ICONS_PATH, icon_names: paywallIconNames };
  }

  @Get(':file')
  @Anonymous()
  @ApiExcludeEndpoint()
  file(@Param('file') name: string, @Res() response: Response): void {
    const file = this.files.find(name);
    if (!file) throw new NotFoundException();
    response.set(headers).type(file.contentType).send(file.bytes);
  }
}
