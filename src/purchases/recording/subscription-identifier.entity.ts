import { Entity, PrimaryColumn } from 'typeorm';

/** An id by which a store has named a subscription, for searches. */
@Entity('subscription_identifiers')
export class SubscriptionIdentifier {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ name: 'store_identifier', type: 'text' })
  storeIdentifier: string;

  @PrimaryColumn({ name: 'subscription_id', type: 'text' })
  subscriptionId: string;
}
