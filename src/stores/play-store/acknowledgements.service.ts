import { Injectable } from '@nestjs/common';
import { type Acknowledgement, PlayCallFailed, type ProductPurchase } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { CredentialHealthService } from '../shared/credential-health.service.js';
import { PlayService } from './play.service.js';
import { refusalOf } from './play-errors.js';

/** The app consumed the product, or it was refunded. */
function isDoneWith({ productLineItem: items = [], purchaseStateContext }: ProductPurchase): boolean {
  return (
    purchaseStateContext?.purchaseState !== 'PURCHASED' ||
    items.every(({ productOfferDetails: offer }) => offer?.consumptionState === 'CONSUMPTION_STATE_CONSUMED')
  );
}

/** Acknowledges and consumes purchases at Google Play. Safe to repeat. */
@Injectable()
export class AcknowledgementsService {
  constructor(
    private readonly play: PlayService,
    private readonly health: CredentialHealthService,
  ) {}

  /** @throws PlayCallFailed if it must be retried */
  async send(app: App, acknowledgement: Acknowledgement, shouldConsume: boolean): Promise<void> {
    try {
      if (shouldConsume) await this.consume(app, acknowledgement);
      else await this.acknowledge(app, acknowledgement);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal !== null) await this.health.failed(app.projectId, app.id, refusal);
      throw error;
    }
  }

  /** A purchase that cannot be consumed is at least acknowledged, so that Google does not refund it. */
  private async consume(app: App, acknowledgement: Acknowledgement): Promise<void> {
    const api = this.play.api(app);
    try {
      await api.consume(acknowledgement);
    } catch (error) {
      if (!(error instanceof PlayCallFailed)) throw error;
      const { failure } = error;
      if (failure === 'unknown' || failure === 'gone') return;
      if (failure !== 'refused') throw error;
      if (isDoneWith(await api.product(acknowledgement.token))) return;
      await this.acknowledge(app, acknowledgement);
      throw error;
    }
  }

  /** Google refuses an acknowledgement that already exists, made by the SDK or before a crash. */
  private async acknowledge(app: App, acknowledgement: Acknowledgement): Promise<void> {
    const api = this.play.api(app);
    try {
      await api.acknowledge(acknowledgement);
    } catch (error) {
      if (!(error instanceof PlayCallFailed)) throw error;
      const { failure } = error;
      if (failure === 'unknown' || failure === 'gone') return;
      if (failure !== 'refused') throw error;
      const { kind, token } = acknowledgement;
      const { acknowledgementState } =
        kind === 'subscription' ? await api.subscription(token) : await api.product(token);
      if (acknowledgementState !== 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED') throw error;
    }
  }
}
