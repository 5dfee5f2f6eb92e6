import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('product_entitlements')
export class ProductEntitlement {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text', { name: 'entitlement_id' })
  entitlementId: string;

  @PrimaryColumn('text', { name: 'product_id' })
  productId: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
