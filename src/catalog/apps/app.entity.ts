import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AppType } from '../../platform/principal/app-types.js';
import type { Credentials, StoreSettings } from './store-fields.js';

@Entity('apps')
export class App {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  type: AppType;

  @Column('text')
  name: string;

  @Column('text')
  publicKey: string;

  @Column('text')
  customUrlScheme: string;

  @Column('json')
  storeSettings: StoreSettings;

  @Column('json')
  sealedCredentials: Credentials;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  /** True if the store refused the app's credentials last time. Not a column: missing where apps are listed. */
  credentialsRefused?: boolean;
}
