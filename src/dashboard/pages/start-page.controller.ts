import { Controller, Get, Header, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Anonymous } from '../../platform/auth/access.js';
import { Config } from '../../platform/config/config.js';
import { DashboardFilesService } from './dashboard-files.service.js';
import { wantsPage } from './wants-page.js';

class ServerInfoDto {
  @ApiProperty({ type: String, example: 'Tenure' })
  name: string;

  @ApiProperty({ type: String, format: 'uri' })
  docs: string;
}

/** The page at the root address of the server. */
@ApiTags('Server')
@Controller()
export class StartPageController {
  constructor(
    private readonly files: DashboardFilesService,
    private readonly config: Config,
  ) {}

  @Get()
  @Anonymous()
  @ApiOperation({
    operationId: 'getServerInfo',
    summary: 'Get the name of the server',
    description:
      'Returns the name of the server and the address of its documentation. Browsers, which prefer HTML, get the dashboard.',
  })
  @ApiOkResponse({ type: ServerInfoDto })
  start(@Req() request: Request, @Res() response: Response): void {
    if (wantsPage(request, response) && this.files.sendPage(response)) return;
    const info: ServerInfoDto = { name: 'Tenure', docs: `${this.config.baseUrl}/docs` };
    response.json(info);
  }

  @Get('robots.txt')
  @Anonymous()
  @ApiExcludeEndpoint()
  @Header('Content-Type', 'text/plain; charset=utf-8')
  robots(): string {
    return 'User-agent: *\nDisallow: /\n';
  }
}
