import { Module } from '@nestjs/common';
import { AuthProvidersModule } from './auth-providers/auth-providers.module.js';
import { SdkEventsModule } from './events/sdk-events.module.js';
import { ExternalPurchaseTokensModule } from './external-purchases/external-purchase-tokens.module.js';
import { IdentityModule } from './identity/identity.module.js';
import { ReceiptsModule } from './receipts/receipts.module.js';
import { RemoteConfigModule } from './remote-config/remote-config.module.js';
import { RestoresModule } from './restores/restores.module.js';
import { SignInModule } from './sign-in/sign-in.module.js';
import { SdkSupportModule } from './support-calls/sdk-support.module.js';

/** Endpoints only for SDKs: receipts, customer sign-in, restores, remote configuration, and supporting calls. */
@Module({
  imports: [
    AuthProvidersModule,
    ReceiptsModule,
    IdentityModule,
    SignInModule,
    RestoresModule,
    ExternalPurchaseTokensModule,
    RemoteConfigModule,
    SdkEventsModule,
    SdkSupportModule,
  ],
})
export class SdkAreaModule {}
