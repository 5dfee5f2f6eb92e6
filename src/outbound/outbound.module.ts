import { Global, Module } from '@nestjs/common';
import { Config } from '../config/config.js';
import { OUTBOUND_OPTIONS, OutboundHttpClient, type OutboundOptions } from './outbound-http-client.js';

/** Calls to URLs that users gave us. */
@Global()
@Module({
  providers: [
    {
      provide: OUTBOUND_OPTIONS,
      inject: [Config],
      useFactory: (config: Config): OutboundOptions => ({
        allowPrivateNetworks: config.allowPrivateNetworks,
        userAgent: 'Service-Webhooks/1.0',
      }),
    },
    OutboundHttpClient,
  ],
  exports: [OutboundHttpClient],
})
export class OutboundModule {}
