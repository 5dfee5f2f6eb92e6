import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AppType } from '../../platform/principal/app-types.js';
import type { Credentials, StoreSettings } from './store-fields.js';

@Entity('apps')
export class App {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  type: AppType;

  @Column('text')
  name: string;

  @Column('text', { name: 'public_key' })
  publicKey: string;

  @Column('text', { name: 'custom_url_scheme' })
  customUrlScheme: string;

  @Column('json', { name: 'store_settings' })
  storeSettings: StoreSettings;

  @Column('json', { name: 'sealed_credentials' })
  sealedCredentials: Credentials;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  /** The store refused the app's credentials when it was last asked. Not a column: missing where apps are listed. */
  credentialsRefused?: boolean;
}
