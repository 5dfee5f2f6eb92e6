import { Injectable } from '@nestjs/common';
import { SecretsService } from '../../platform/secrets/secrets.service.js';
import { notificationBodyPlace } from './secret-places.js';

/** A notification as it is stored: one of `body` and `sealedBody` is null. */
export interface StoredBody {
  projectId: string;
  id: string;
  body: Buffer | null;
  sealedBody: string | null;
}

/** Seals notifications that contain a secret: they are stored for weeks. */
@Injectable()
export class NotificationBodiesService {
  constructor(private readonly secrets: SecretsService) {}

  seal({ projectId, id }: Pick<StoredBody, 'projectId' | 'id'>, body: Buffer): string {
    return this.secrets.seal(body.toString('base64'), notificationBodyPlace(projectId, id));
  }

  open({ projectId, id, body, sealedBody }: StoredBody): Buffer {
    if (sealedBody === null) return body ?? Buffer.alloc(0);
    return Buffer.from(this.secrets.open(sealedBody, notificationBodyPlace(projectId, id)), 'base64');
  }
}
