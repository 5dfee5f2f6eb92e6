import { Global, Module } from '@nestjs/common';
import { EnterpriseController } from './enterprise.controller.js';
import { LicenceNoticeService } from './licence-notice.service.js';
import { LicenceService } from './licence.service.js';

/** Features of the enterprise edition that are enabled. Every feature of the area injects it. */
@Global()
@Module({
  controllers: [EnterpriseController],
  providers: [LicenceNoticeService, LicenceService],
  exports: [LicenceService],
})
export class LicenceModule {}
