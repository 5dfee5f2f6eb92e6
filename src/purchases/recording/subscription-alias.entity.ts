import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The former id of a subscription that turned out to be one with another. */
@Entity('subscription_aliases')
export class SubscriptionAlias {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ name: 'alias_id', type: 'text' })
  aliasId: string;

  @Column({ name: 'subscription_id', type: 'text' })
  subscriptionId: string;
}
