import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The former id of a subscription that was merged into another. */
@Entity('subscription_aliases')
export class SubscriptionAlias {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  aliasId: string;

  @Column({ type: 'text' })
  subscriptionId: string;
}
