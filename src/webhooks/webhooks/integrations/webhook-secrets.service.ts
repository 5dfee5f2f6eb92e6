import { Injectable } from '@nestjs/common';
import { SecretsService } from '../../../platform/secrets/secrets.service.js';
import {
  authorizationPlace,
  previousSigningSecretPlace,
  signingSecretPlace,
} from '../../deliveries/integrations/secret-places.js';
import type { WebhookIntegration } from '../../deliveries/integrations/integration.entity.js';

type IntegrationId = Pick<WebhookIntegration, 'projectId' | 'id'>;

@Injectable()
export class WebhookSecretsService {
  constructor(private readonly secrets: SecretsService) {}

  sealSigning({ projectId, id }: IntegrationId, secret: string): string {
    return this.secrets.seal(secret, signingSecretPlace(projectId, id));
  }

  /** No header is sent if this is null or empty. */
  sealAuthorization({ projectId, id }: IntegrationId, header: string | null | undefined): string | null {
    return header ? this.secrets.seal(header, authorizationPlace(projectId, id)) : null;
  }

  /** Null if the current secret cannot be opened: then it signs nothing either, and rotating it is the remedy. */
  resealAsPrevious({ projectId, id, sealedSigningSecret }: WebhookIntegration): string | null {
    try {
      const secret = this.secrets.open(sealedSigningSecret, signingSecretPlace(projectId, id));
      return this.secrets.seal(secret, previousSigningSecretPlace(projectId, id));
    } catch {
      return null;
    }
  }
}
