import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What is not in the facts yet: a changed purchase, or a customer. */
@Entity('chart_changes')
export class ChartChange {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'bigint' })
  id: number;

  @Column({ name: 'purchase_id', type: 'text', nullable: true })
  purchaseId: string | null;

  @Column({ name: 'customer_id', type: 'text', nullable: true })
  customerId: string | null;

  @Column({ name: 'changed_at', type: 'timestamptz', precision: 3 })
  changedAt: Date;
}

/** The lockable row of a project, and how far its days and its rebuild have come. */
@Entity('chart_projects')
export class ChartProject {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @Column({ name: 'closed_until', type: 'date', nullable: true })
  closedUntil: string | null;

  @Column({ name: 'rebuilt_until', type: 'text', nullable: true })
  rebuiltUntil: string | null;

  @Column({ name: 'has_cohorts', type: 'boolean' })
  hasCohorts: boolean;

  @Column({ name: 'check_due_at', type: 'timestamptz', precision: 3, nullable: true })
  checkDueAt: Date | null;

  @Column({ name: 'checked_until', type: 'text' })
  checkedUntil: string;
}

/** A project whose facts are to be derived again. */
@Entity('chart_rebuilds')
export class ChartRebuild {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;
}

/** A product whose customers are to be derived again. */
@Entity('chart_product_changes')
export class ChartProductChange {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'bigint' })
  id: number;

  @Column({ name: 'app_id', type: 'text' })
  appId: string;

  @Column({ name: 'product_id', type: 'text' })
  productId: string;

  @Column({ name: 'store_identifier', type: 'text' })
  storeIdentifier: string;

  @Column({ name: 'is_renamed', type: 'boolean' })
  isRenamed: boolean;

  @Column({ name: 'done_until', type: 'text' })
  doneUntil: string;
}

/** A value of a chosen attribute that charts tell apart. */
@Entity('chart_attribute_values')
export class ChartAttributeValue {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  name: string;

  @PrimaryColumn({ name: 'value_hash', type: 'uuid' })
  valueHash: string;
}

/** A past day whose facts changed since they were summed. */
@Entity('chart_dirty_days')
export class ChartDirtyDay {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  environment: string;

  @PrimaryColumn({ type: 'date' })
  day: string;
}
