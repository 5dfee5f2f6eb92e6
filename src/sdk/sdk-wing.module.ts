import { Module } from '@nestjs/common';
import { IdentityModule } from './identity/identity.module.js';
import { ReceiptsModule } from './receipts/receipts.module.js';
import { RestoresModule } from './restores/restores.module.js';
import { SdkSupportModule } from './support-calls/sdk-support.module.js';

/** What only the SDKs call: receipts, sign-in of customers, restores, and the calls around them. */
@Module({ imports: [ReceiptsModule, IdentityModule, RestoresModule, SdkSupportModule] })
export class SdkWingModule {}
