import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Units of each currency per USD on one UTC day, as reported by the provider. */
@Entity('exchange_rates')
export class ExchangeRateDay {
  @PrimaryColumn('date')
  day: string;

  @Column('text')
  source: string;

  @Column('json')
  rates: Record<string, unknown>;

  @Column({ type: 'timestamptz', precision: 3 })
  fetchedAt: Date;
}
