import { Controller, Get, NotFoundException, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Anonymous } from '../../platform/auth/access.js';
import { DashboardFilesService } from './dashboard-files.service.js';
import { dashboardPaths } from './dashboard-paths.js';
import { wantsPage } from './wants-page.js';

/** Answers with the built dashboard; every other answer is the API's own. */
@ApiExcludeController()
@Controller()
export class DashboardController {
  constructor(private readonly files: DashboardFilesService) {}

  /** The page decides itself what it shows at a path. */
  @Get(dashboardPaths.flatMap((path) => [path, `${path}/{*rest}`]))
  @Anonymous()
  page(@Req() request: Request, @Res() response: Response): void {
    if (!wantsPage(request, response) || !this.files.sendPage(response)) throw new NotFoundException();
  }

  /** Without a session: it renders what the editor posts to it. */
  @Get('paywall-preview')
  @Anonymous()
  preview(@Res() response: Response): void {
    if (!this.files.sendPreview(response)) throw new NotFoundException();
  }

  /** Never the page: a tab that was open during an upgrade must notice that its file is gone. */
  @Get('assets/*name')
  @Anonymous()
  asset(@Req() request: Request, @Res() response: Response): void {
    if (!this.files.areServed) throw new NotFoundException();
    if (!this.files.sendAsset(request, response)) response.status(404).type('text').send('Not found\n');
  }

  /** Browsers ask for it on pages that name no icon. */
  @Get('favicon.ico')
  @Anonymous()
  icon(@Res() response: Response): void {
    if (this.files.iconPath === null) throw new NotFoundException();
    response.redirect(this.files.iconPath);
  }
}
