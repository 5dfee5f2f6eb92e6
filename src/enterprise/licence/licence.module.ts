import { Global, Module } from '@nestjs/common';
import { EnterpriseController } from './enterprise.controller.js';
import { LicenceNoticeService } from './licence-notice.service.js';
import { LicenceService } from './licence.service.js';

/** Which features of the enterprise edition are on. Every feature of the area asks it. */
@Global()
@Module({
  controllers: [EnterpriseController],
  providers: [LicenceNoticeService, LicenceService],
  exports: [LicenceService],
})
export class LicenceModule {}
