import { Column, Entity, PrimaryColumn } from 'typeorm';

export const providerKinds = ['firebase', 'oidc'] as const;
export type ProviderKind = (typeof providerKinds)[number];

@Entity('auth_providers')
export class AuthProvider {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  id: string;

  @Column({ type: 'text' })
  kind: ProviderKind;

  @Column({ type: 'text' })
  name: string;

  /** Equal to `iss` in its tokens, byte for byte. */
  @Column({ type: 'text' })
  issuer: string;

  @Column({ type: 'text', array: true })
  audiences: string[];

  /** Null unless `kind` is firebase. */
  @Column({ type: 'text', nullable: true })
  firebaseProjectId: string | null;

  /** Null: the keys are found through the issuer (for firebase: Google's keys). */
  @Column({ type: 'text', nullable: true })
  jwksUrl: string | null;

  /** The claim that contains the app user id; dots separate nested claims. */
  @Column({ type: 'text' })
  appUserIdClaim: string;

  @Column({ type: 'text' })
  appUserIdPrefix: string;

  @Column({ type: 'boolean' })
  enabled: boolean;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
