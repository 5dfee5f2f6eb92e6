import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { EnumField, StringField } from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import { ChoiceParameter, TextParameter } from '../../platform/http/lists/query-parameters.js';
import { type BoundBy, boundByValues } from './external-purchase-binding.entity.js';
import {
  type ExternalTokenKind,
  externalTokenKinds,
  type ExternalTokenState,
  externalTokenStates,
  type ExternalTokenStore,
  externalTokenStores,
} from './external-purchase-token.entity.js';
import type { ShownToken } from './external-purchase-tokens.repository.js';

const MAX_TOKEN = 4096;

@BodyExample({ app_id: 'app0sx2k8v0a1', store: 'google', token: 'a token of Google Play', kind: 'LINK_OUT' })
export class CreateExternalPurchaseTokenDto {
  @StringField({ max: 255 })
  app_id: string;

  @EnumField(externalTokenStores, { description: 'The store of the app.' })
  store: ExternalTokenStore;

  @StringField({ max: MAX_TOKEN, description: 'As the store returned it to the app.' })
  token: string;

  @EnumField(externalTokenKinds, {
    optional: true,
    nullable: true,
    description: "A type in Apple's token takes precedence.",
  })
  kind?: ExternalTokenKind | null;
}

export class ListExternalPurchaseTokensQuery extends PageQuery {
  @ChoiceParameter(externalTokenStates, { description: 'Default: all states.' })
  state: ExternalTokenState | null;

  @TextParameter({ max: 255, description: 'Only tokens of this app.' })
  app_id: string | null;

  @TextParameter({ description: 'Any app user id of a customer.' })
  customer_id: string | null;
}

@BodyExample({ subscription_id: 'sub_0mjwaidk3x9q2f7t' })
export class BindExternalPurchaseTokenDto {
  @StringField({ max: 255, optional: true, description: 'A subscription at Stripe or Paddle.' })
  subscription_id?: string;

  @StringField({ max: 255, optional: true, description: 'Instead: a one-time purchase at Stripe or Paddle.' })
  purchase_id?: string;
}

class ExternalPurchaseBindingDto {
  @ApiProperty({ type: String, example: 'stripe', description: 'The store that sold the purchase.' })
  store: string;

  @ApiProperty({ type: String, description: 'Id of the subscription or purchase at its store.' })
  store_purchase_identifier: string;

  @ApiProperty({
    enum: boundByValues,
    description:
      '`id`: the purchase names the token; `action`: this API; `newest`: the only open token of the customer.',
  })
  bound_by: BoundBy;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  bound_at: number;
}

export class ExternalPurchaseTokenDto {
  @ApiProperty({ enum: ['external_purchase_token'] })
  object: 'external_purchase_token';

  @ApiProperty({ type: String, example: 'ept0f8fad5bd9cb469fa16570867728950e' })
  id: string;

  @ApiProperty({ type: String })
  app_id: string;

  @ApiProperty({ enum: externalTokenStores })
  store: ExternalTokenStore;

  @ApiProperty({ enum: externalTokenKinds, nullable: true })
  kind: ExternalTokenKind | null;

  @ApiProperty({ enum: ['production', 'sandbox'] })
  environment: 'production' | 'sandbox';

  @ApiProperty({ type: String, nullable: true, description: "The store's id of the token." })
  external_purchase_id: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Original app user id; null if the customer was deleted.',
  })
  customer_id: string | null;

  @ApiProperty({
    enum: externalTokenStates,
    description:
      '`open`: not used by a purchase yet; `used`: a purchase is bound to it. `unreadable` and `foreign`: not a token of the store, or of another app.',
  })
  state: ExternalTokenState;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'According to the token, epoch milliseconds.',
  })
  token_created_at: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'According to the token, epoch milliseconds.',
  })
  token_expires_at: number | null;

  @ApiProperty({ type: 'integer', description: 'When the server received it, epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ type: [ExternalPurchaseBindingDto], description: 'The purchases that used the token.' })
  bindings: ExternalPurchaseBindingDto[];
}

export class ExternalPurchaseTokenListDto extends listOf(ExternalPurchaseTokenDto) {}

export function presentExternalToken(token: ShownToken): ExternalPurchaseTokenDto {
  return {
    object: 'external_purchase_token',
    id: token.id,
    app_id: token.appId,
    store: token.store,
    kind: token.kind,
    environment: token.environment,
    external_purchase_id: token.externalPurchaseId,
    customer_id: token.customerAppUserId,
    state: token.state,
    token_created_at: token.tokenCreatedAt?.getTime() ?? null,
    token_expires_at: token.tokenExpiresAt?.getTime() ?? null,
    created_at: token.createdAt.getTime(),
    bindings: token.bindings.map(({ store, purchaseKey, boundBy, boundAtMs }) => ({
      store,
      store_purchase_identifier: purchaseKey,
      bound_by: boundBy,
      bound_at: boundAtMs,
    })),
  };
}
