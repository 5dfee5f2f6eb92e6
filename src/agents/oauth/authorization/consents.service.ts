import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { type OauthScope, reachOf, scopesWithin } from '../../../platform/principal/oauth-scopes.js';
import type { SessionPrincipal } from '../../../platform/principal/principal.js';
import {
  type AccessibleProject,
  MembershipsService,
} from '../../../workspace/projects/memberships.service.js';
import { GrantsService } from '../grants/grants.service.js';
import { CODE_MS, newCode } from '../tokens/oauth-tokens.js';
import { refusedOnPage } from './authorization-refused.js';
import type { AuthorizationRequest } from './authorization-request.policy.js';

/** The person's selection. */
export interface Choice {
  projectId: string;
  mayWrite: boolean;
  mayMoveMoney: boolean;
}

/** The page's options. */
export interface Offer {
  projects: AccessibleProject[];
  /** The initial selection: the client's existing grant, if it requests more. */
  preset: { projectId: string | null; scopes: readonly OauthScope[] };
}

/** Grants that people consent to. */
@Injectable()
export class ConsentsService {
  constructor(
    private readonly memberships: MembershipsService,
    private readonly grants: GrantsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async offer({ userId }: SessionPrincipal, { clientId, scopes }: AuthorizationRequest): Promise<Offer> {
    const [projects, present] = await Promise.all([
      this.memberships.accessible(userId),
      this.grants.newestOfClient(userId, clientId),
    ]);
    // A person who already authorized the client is being asked for more deliberately.
    const isTicked = (scope: OauthScope): boolean => present !== null || scope !== 'project:money';
    return { projects, preset: { projectId: present?.projectId ?? null, scopes: scopes.filter(isTicked) } };
  }

  /**
   * Returns the code. Limits the grant to what the client requested and the person's role can use.
   * @throws AuthorizationRefused if the person is not a member of the project
   */
  async agree(session: SessionPrincipal, request: AuthorizationRequest, choice: Choice): Promise<string> {
    const { userId, email } = session;
    const project = (await this.memberships.accessible(userId)).find(({ id }) => id === choice.projectId);
    if (!project) throw refusedOnPage('Choose a project that you are a member of.', 'No such project');
    const chosen: OauthScope[] = ['project:read'];
    if (choice.mayWrite) chosen.push('project:write');
    if (choice.mayMoveMoney) chosen.push('project:money');
    const asked = chosen.filter((scope) => request.scopes.includes(scope));
    const now = new Date(this.clock.nowMs());
    const code = newCode();
    const grant = {
      projectId: project.id,
      id: newId('oauthGrant', now.getTime()),
      userId,
      clientId: request.clientId,
      clientName: request.clientName,
      redirectUri: request.redirectUri,
      scopes: scopesWithin(reachOf(project.role, project.permissions), asked),
      audience: request.audience,
      sessionMethod: session.method,
      sessionOrgId: session.ssoOrgId,
      codeChallenge: request.challenge,
      codeUsedAt: null,
      accessHash: null,
      accessScopes: null,
      accessExpiresAt: null,
      refreshHash: null,
      generation: 1,
      generationUsedAt: null,
      createdAt: now,
      lastUsedAt: null,
      expiresAt: new Date(now.getTime() + CODE_MS),
    };
    await this.grants.create(grant, code.hash, { type: 'user', identifier: email });
    return code.text;
  }
}
