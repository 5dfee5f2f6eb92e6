import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('exchange_rate_feeds')
export class ExchangeRateFeed {
  @PrimaryColumn('text')
  source: string;

  @Column({ type: 'timestamptz', precision: 3 })
  nextFetchAt: Date;
}
