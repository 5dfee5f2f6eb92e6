import { Global, Module } from '@nestjs/common';
import { EnterpriseController } from './enterprise.controller.js';
import { LicenceService } from './licence.service.js';

/** Which features of the enterprise edition are on. Every feature of the wing asks it. */
@Global()
@Module({
  controllers: [EnterpriseController],
  providers: [LicenceService],
  exports: [LicenceService],
})
export class LicenceModule {}
