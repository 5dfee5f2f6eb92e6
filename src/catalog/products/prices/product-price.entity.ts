import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A price of a Test Store product. The default price is in the product as well. */
@Entity('product_prices')
export class ProductPrice {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  productId: string;

  @PrimaryColumn('text')
  currency: string;

  @Column('bigint')
  micros: number;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
