import { Entity, PrimaryColumn } from 'typeorm';

/** A store's id of a subscription, for searches. */
@Entity('subscription_identifiers')
export class SubscriptionIdentifier {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  storeIdentifier: string;

  @PrimaryColumn({ type: 'text' })
  subscriptionId: string;
}
