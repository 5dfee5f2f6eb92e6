import { Column, Entity, PrimaryColumn } from 'typeorm';

export const connectionKinds = ['saml', 'oidc'] as const;
export type ConnectionKind = (typeof connectionKinds)[number];

/** Null fields are not set yet. */
export interface SamlSettings {
  idpEntityId: string | null;
  idpSsoUrl: string | null;
  /** PEM. */
  idpCertificates: string[];
  allowIdpInitiated: boolean;
  emailAttribute: string | null;
  firstNameAttribute: string | null;
  lastNameAttribute: string | null;
  groupsAttribute: string | null;
}

export interface OidcSettings {
  issuer: string | null;
  clientId: string | null;
  /** Separated by spaces; always includes `openid`. */
  scopes: string;
  groupsClaim: string | null;
  /** Missing from settings that older versions stored. Null means `email`. */
  emailClaim?: string | null;
}

/** An organization's connection to its identity provider. */
@Entity('sso_connections')
export class SsoConnection {
  @PrimaryColumn({ type: 'text' })
  orgId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  kind: ConnectionKind;

  @Column('text')
  name: string;

  @Column('boolean')
  enabled: boolean;

  /** Whether new people get an account and a membership when they sign in. */
  @Column('boolean')
  jit: boolean;

  /** Depends on `kind`. */
  @Column('jsonb')
  settings: SamlSettings | OidcSettings;

  @Column({ type: 'text', nullable: true })
  sealedClientSecret: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}

export type SamlConnection = SsoConnection & { kind: 'saml'; settings: SamlSettings };
export type OidcConnection = SsoConnection & { kind: 'oidc'; settings: OidcSettings };

export function isSaml(connection: SsoConnection): connection is SamlConnection {
  return connection.kind === 'saml';
}

export function isOidc(connection: SsoConnection): connection is OidcConnection {
  return connection.kind === 'oidc';
}
