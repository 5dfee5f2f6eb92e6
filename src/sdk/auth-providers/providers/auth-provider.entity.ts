import { Column, Entity, PrimaryColumn } from 'typeorm';

export const providerKinds = ['firebase', 'oidc'] as const;
export type ProviderKind = (typeof providerKinds)[number];

@Entity('auth_providers')
export class AuthProvider {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ name: 'id', type: 'text' })
  id: string;

  @Column({ name: 'kind', type: 'text' })
  kind: ProviderKind;

  @Column({ name: 'name', type: 'text' })
  name: string;

  /** Equal to `iss` of its tokens, byte for byte. */
  @Column({ name: 'issuer', type: 'text' })
  issuer: string;

  @Column({ name: 'audiences', type: 'text', array: true })
  audiences: string[];

  /** Null unless `kind` is firebase. */
  @Column({ name: 'firebase_project_id', type: 'text', nullable: true })
  firebaseProjectId: string | null;

  /** Null: the keys are found through the issuer (firebase: Google's). */
  @Column({ name: 'jwks_url', type: 'text', nullable: true })
  jwksUrl: string | null;

  /** The claim that holds the app user id; dots lead into objects. */
  @Column({ name: 'app_user_id_claim', type: 'text' })
  appUserIdClaim: string;

  @Column({ name: 'app_user_id_prefix', type: 'text' })
  appUserIdPrefix: string;

  @Column({ name: 'enabled', type: 'boolean' })
  enabled: boolean;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
