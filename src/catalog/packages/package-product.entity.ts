import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EligibilityCriteria } from '../snapshot/catalog.model.js';

@Entity('package_products')
export class AttachedProduct {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text', { name: 'package_id' })
  packageId: string;

  @PrimaryColumn('text', { name: 'product_id' })
  productId: string;

  @Column('text', { name: 'eligibility_criteria' })
  eligibilityCriteria: EligibilityCriteria;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
