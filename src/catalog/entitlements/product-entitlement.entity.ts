import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('product_entitlements')
export class ProductEntitlement {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  entitlementId: string;

  @PrimaryColumn('text')
  productId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
