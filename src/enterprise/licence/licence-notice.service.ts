import { Injectable, type OnModuleInit } from '@nestjs/common';
import { settings } from '../../platform/config/config.schema.js';
import { Config } from '../../platform/config/config.js';
import { LogService } from '../../platform/observability/log.service.js';
import { LicenceService } from './licence.service.js';

/** Logs the licence's state for operators when the enterprise edition starts. */
@Injectable()
export class LicenceNoticeService implements OnModuleInit {
  constructor(
    private readonly licence: LicenceService,
    private readonly config: Config,
    private readonly log: LogService,
  ) {}

  onModuleInit(): void {
    const { mode, message, features } = this.licence.status;
    if (message === null) this.log.info({ mode, features }, 'the enterprise edition is licensed');
    else
      this.log.warn(
        { mode, features, reason: message },
        'the licence of the enterprise edition needs attention',
      );
    if (this.config.publicUrl !== null) return;
    const { variable } = settings.publicUrl;
    this.log.warn({}, `${variable} is not set: identity providers need the address of this server`);
  }
}
