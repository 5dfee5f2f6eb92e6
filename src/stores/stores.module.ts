import { Module } from '@nestjs/common';
import { StoreActionsModule } from './actions/store-actions.module.js';
import { AmazonModule } from './amazon/amazon.module.js';
import { AppStoreModule } from './app-store/app-store.module.js';
import { StoreListingsModule } from './listings/store-listings.module.js';
import { StoreNotificationsModule } from './notifications/store-notifications.module.js';
import { PaddleModule } from './paddle/paddle.module.js';
import { PlayStoreModule } from './play-store/play-store.module.js';
import { RefundPoliciesModule } from './refund-policies/refund-policies.module.js';
import { RefundRequestsModule } from './refund-requests/refund-requests.module.js';
import { RetentionMessagesModule } from './retention-messages/retention-messages.module.js';
import { RokuModule } from './roku/roku.module.js';
import { StoresModule } from './shared/stores.module.js';
import { StripeModule } from './stripe/stripe.module.js';

/** Store integrations: notifications, receipt verification, and actions on purchases. */
@Module({
  imports: [
    StoresModule,
    StoreNotificationsModule,
    StoreActionsModule,
    StoreListingsModule,
    AppStoreModule,
    RetentionMessagesModule,
    PlayStoreModule,
    PaddleModule,
    RefundRequestsModule,
    StripeModule,
    AmazonModule,
    RokuModule,
    RefundPoliciesModule,
  ],
})
export class StoresAreaModule {}
