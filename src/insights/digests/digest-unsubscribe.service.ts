import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { SecretsService } from '../../platform/secrets/secrets.service.js';
import type { DigestKey } from './digests.repository.js';
import { DigestsService } from './digests.service.js';

const PLACE = 'digests/emails/unsubscribe';

/** Removes a member from a digest without a sign-in, by the token in each of its mails (RFC 8058). */
@Injectable()
export class DigestUnsubscribeService {
  constructor(
    private readonly secrets: SecretsService,
    private readonly digests: DigestsService,
    private readonly config: Config,
  ) {}

  /** `page` asks the reader first; programs that follow links change nothing. `oneClick` takes a POST. */
  urlsFor({ projectId, id }: DigestKey, userId: string): { page: string; oneClick: string } {
    const token = encodeURIComponent(this.secrets.seal(JSON.stringify([projectId, id, userId]), PLACE));
    const { baseUrl } = this.config;
    return {
      page: `${baseUrl}/stop-digest#token=${token}`,
      oneClick: `${baseUrl}/auth/digests/unsubscribe?token=${token}`,
    };
  }

  /** Also succeeds if the member or the digest is gone. @throws ApiError 400 for a forged token */
  async unsubscribe(token: string): Promise<void> {
    await this.digests.removeMember(...this.opened(token));
  }

  private opened(token: string): [projectId: string, id: string, userId: string] {
    try {
      return JSON.parse(this.secrets.open(token, PLACE)) as [string, string, string];
    } catch {
      throw ApiError.parameter('token', 'The link is not valid. Sign in to change the digest.');
    }
  }
}
