import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import type { Response } from 'express';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sdkEtag, sendSdkText } from '../../platform/http/pipeline/sdk-answer.js';
import { callerOf, type SdkPrincipal } from '../../platform/principal/principal.js';
import type { Balance, BalancesService } from './balances.service.js';

export class SdkVirtualCurrencyDto {
  @ApiProperty({ type: 'integer' })
  balance: number;

  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ type: String })
  code: string;

  @ApiProperty({ type: String, required: false })
  description?: string;
}

export class SdkVirtualCurrenciesDto {
  @ApiProperty({ type: 'object', additionalProperties: { $ref: getSchemaPath(SdkVirtualCurrencyDto) } })
  virtual_currencies: Record<string, SdkVirtualCurrencyDto>;
}

export function presentSdkBalances(balances: Balance[]): SdkVirtualCurrenciesDto {
  const entries: [string, SdkVirtualCurrencyDto][] = balances.map(
    ({ currency: { code, name, description }, balance }) => [
      code,
      { balance, name, code, description: description ?? undefined },
    ],
  );
  return { virtual_currencies: Object.fromEntries(entries) };
}

export async function sendBalances(
  balances: BalancesService,
  appUserId: string,
  request: ApiRequest,
  response: Response,
): Promise<void> {
  const principal = request.principal as SdkPrincipal;
  const body = JSON.stringify(presentSdkBalances(await balances.all(principal.projectId, appUserId)));
  sendSdkText(response, { body, etag: sdkEtag(callerOf(principal), body) });
}
