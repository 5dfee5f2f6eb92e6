import type { AppType } from '../principal/app-types.js';
import type { MemberRole } from '../principal/permissions.js';
import type { SessionMethod } from '../principal/principal.js';
import type { AccessTokenClaims } from './customer-tokens/customer-token-key.service.js';

/** The project of a key, with its app or its permissions. */
export interface KeyCredential {
  kind: 'public_key' | 'secret_key';
  projectId: string;
  ownerId: string;
  appType: AppType | null;
  permissions: string[] | null;
}

/** Resolves public and secret keys. Implemented by the workspace. */
export abstract class KeyCredentials {
  abstract find(keyHash: Buffer): Promise<KeyCredential | null>;
}

export interface SessionCredential {
  id: string;
  userId: string;
  email: string;
  method: SessionMethod;
  ssoOrgId: string | null;
  lastSeenAt: Date;
}

/** Resolves the session cookie of the dashboard. Implemented by the workspace. */
export abstract class SessionCredentials {
  /** Returns null if the token is unknown or its session has ended. */
  abstract find(tokenHash: Buffer, now: Date): Promise<SessionCredential | null>;
  abstract recordUse(tokenHash: Buffer, now: Date): Promise<void>;
}

/** Finds the roles of members. Implemented by the workspace. */
export abstract class MemberRoles {
  /** Returns null unless the user is a member of the project. */
  abstract find(projectId: string, userId: string): Promise<MemberRole | null>;
}

export interface CustomerSessionCredential {
  projectId: string;
  appType: AppType;
  lastUsedAt: Date;
  /** Hash of the refresh token. */
  generation: number;
  generationUsedAt: Date | null;
}

/** Resolves access tokens of customers. Implemented by the SDK area. */
export abstract class CustomerSessionCredentials {
  /** Returns null if the session has ended, or the token was revoked, or its app or project is gone. */
  abstract find(claims: AccessTokenClaims, now: Date): Promise<CustomerSessionCredential | null>;
  /** Records the first use of each refresh token. */
  abstract markGenerationUsed(projectId: string, sessionId: string, generation: number): Promise<void>;
  /** Writes `last_used_at`, at most once a minute for each session. */
  abstract recordUse(projectId: string, sessionId: string, now: Date): Promise<void>;
}
