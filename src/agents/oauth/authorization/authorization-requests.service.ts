import { Injectable } from '@nestjs/common';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { DocumentProblem } from '../clients/client-document.policy.js';
import { ClientsService } from '../clients/clients.service.js';
import type { OauthClient } from '../clients/oauth-client.entity.js';
import { matchesRedirectUri, redirectUriProblem } from '../clients/redirect-uri.policy.js';
import { OauthLimitsService } from '../oauth-limits.service.js';
import { AuthorizationRefused, refusedOnPage } from './authorization-refused.js';
import {
  answerTo,
  type AuthorizationRequest,
  parametersOf,
  requestedAccess,
} from './authorization-request.policy.js';

/** Reads and validates authorization requests. */
@Injectable()
export class AuthorizationRequestsService {
  constructor(
    private readonly clients: ClientsService,
    private readonly limits: OauthLimitsService,
  ) {}

  /** @throws AuthorizationRefused; ApiError 429 */
  async read(request: ApiRequest, issuer: string): Promise<AuthorizationRequest> {
    const parameters = parametersOf(request.originalUrl);
    const client = await this.clientOf(parameters.get('client_id'), request.ip);
    const redirectUri = redirectUriOf(client, parameters.get('redirect_uri'));
    const state = parameters.get('state') ?? null;
    const access = requestedAccess(parameters, issuer, (error, description) => {
      const redirect = answerTo({ redirectUri, state }, issuer, { error, description });
      return new AuthorizationRefused({ redirect });
    });
    return { clientId: client.id, clientName: client.name, redirectUri, state, ...access };
  }

  /** @throws AuthorizationRefused if the client has been deleted meanwhile */
  async assertKnown({ clientId, redirectUri }: AuthorizationRequest, ip: string | undefined): Promise<void> {
    redirectUriOf(await this.clientOf(clientId, ip), redirectUri);
  }

  private async clientOf(id: string | undefined, ip: string | undefined): Promise<OauthClient> {
    if (id === undefined) throw refusedOnPage('The request has no client_id.');
    try {
      const client = await this.clients.find(id, () => this.limits.countDocument(ip));
      if (client) return client;
    } catch (error) {
      if (!(error instanceof DocumentProblem)) throw error;
      throw refusedOnPage(`The client cannot be identified by its document: ${error.message}.`);
    }
    throw refusedOnPage('This server does not know the client. Connect it again from the start.');
  }
}

/** Only a client with a single redirect URI may omit it. @throws AuthorizationRefused */
function redirectUriOf({ redirectUris }: OauthClient, asked: string | undefined): string {
  const [only, ...others] = redirectUris;
  if (asked === undefined && only !== undefined && others.length === 0) return only;
  if (asked === undefined) throw refusedOnPage('The request has no redirect_uri.');
  const isRegistered = redirectUris.some((registered) => matchesRedirectUri(registered, asked));
  if (isRegistered && redirectUriProblem(asked) === null) return asked;
  throw refusedOnPage('The redirect_uri is not registered for the client.');
}
