import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Anonymous } from '../../platform/auth/access.js';
import { clientNetwork } from '../../platform/http/pipeline/client-network.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { type RateLimit, RateLimiterService } from '../../platform/rate-limits/rate-limiter.service.js';
import { PAGE_POLICY, type RedemptionPage, redemptionPage } from './redemption.page.js';
import { RedemptionPagesService } from './redemption-pages.service.js';

const openings: RateLimit = { name: 'redeem_page_ip', max: 60, windowMs: 60_000 };
const NO_TENANT = '';

function send(response: Response, status: number, page: RedemptionPage): void {
  response
    .status(status)
    .set({
      'Content-Security-Policy': PAGE_POLICY,
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex',
    })
    .type('html')
    .send(redemptionPage(page));
}

/** Serves the page for people who open a link without the app. */
@ApiExcludeController()
@Controller('redeem')
export class RedemptionPageController {
  constructor(
    private readonly pages: RedemptionPagesService,
    private readonly limiter: RateLimiterService,
  ) {}

  @Get(':token')
  @Anonymous()
  async page(
    @Param('token') token: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    if (await this.isLimited(request, response)) return;
    const page = await this.pages.page(token);
    send(response, page.state === 'unknown' ? 404 : 200, page);
  }

  @Post(':token/resend')
  @Anonymous()
  async resend(
    @Param('token') token: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    if (await this.isLimited(request, response)) return;
    send(response, 202, await this.pages.resend(token));
  }

  private async isLimited({ ip }: ApiRequest, response: Response): Promise<boolean> {
    const { allowed, resetsAt } = await this.limiter.hit(openings, NO_TENANT, clientNetwork(ip ?? null));
    if (allowed) return false;
    const { retryAfterS } = this.limiter.refusal('', resetsAt).details;
    response.set('Retry-After', String(retryAfterS));
    send(response, 429, { state: 'too_many' });
    return true;
  }
}
