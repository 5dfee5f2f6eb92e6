import { Column, Entity, PrimaryColumn } from 'typeorm';

export const credentialKinds = ['api_key', 'oauth_grant'] as const;
export type CredentialKind = (typeof credentialKinds)[number];

/** When an API key or an OAuth grant was last used. Unused ones have no row. */
@Entity('credential_uses')
export class CredentialUse {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  credentialId: string;

  @Column('text')
  kind: CredentialKind;

  @Column({ type: 'timestamptz', precision: 3 })
  lastUsedAt: Date;
}
