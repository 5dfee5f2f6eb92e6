import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('notification_listeners')
export class ListeningProcess {
  @PrimaryColumn('text')
  id: string;

  @Column({ type: 'timestamptz', precision: 3 })
  since: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  beatAt: Date;
}
