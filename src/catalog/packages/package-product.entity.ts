import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EligibilityCriteria } from '../snapshot/catalog.model.js';

@Entity('package_products')
export class AttachedProduct {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  packageId: string;

  @PrimaryColumn('text')
  productId: string;

  @Column('text')
  eligibilityCriteria: EligibilityCriteria;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
