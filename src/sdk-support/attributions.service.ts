import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import { CustomerInfoService } from '../customers/customer-info.service.js';
import type { Device } from '../customers/last-seen.recorder.js';
import type { Attribution } from './attribution.body.js';
import { AttributionsRepository } from './attributions.repository.js';

/** Where customers came from, as their devices tell. */
@Injectable()
export class AttributionsService {
  constructor(
    @Inject(AttributionsRepository) private readonly repository: AttributionsRepository,
    @Inject(CustomerInfoService) private readonly customers: CustomerInfoService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Keeps the latest of each network; an unknown customer is created.
   * @throws ApiError 400, code 7220, for an id that cannot be
   */
  async keep(projectId: string, appUserId: string, device: Device, attribution: Attribution): Promise<void> {
    await this.customers.getOrCreate(projectId, appUserId, device);
    await this.repository.keep(projectId, appUserId, attribution, new Date(this.clock.nowMs()));
  }
}
