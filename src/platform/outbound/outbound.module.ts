import { Global, Module } from '@nestjs/common';
import { Config } from '../config/config.js';
import { OutboundConnectionsClient } from './outbound-connections.client.js';
import { OutboundHttpClient } from './outbound-http.client.js';
import { OUTBOUND_OPTIONS, type OutboundOptions } from './outbound-options.js';
import { ownHostsOf } from './outbound-url.js';
import { ProviderHttpClient } from './provider-http.client.js';

@Global()
@Module({
  providers: [
    {
      provide: OUTBOUND_OPTIONS,
      inject: [Config],
      useFactory: (config: Config): OutboundOptions => ({
        allowPrivateNetworks: config.allowPrivateNetworks,
        allow: config.outboundAllow,
        ownHosts: ownHostsOf(
          config.baseUrl,
          [config.port, config.metricsPort].filter((port) => port !== null),
        ),
        userAgent: 'Service-Webhooks/1.0',
        maxConnectionsPerOrigin: config.webhookEndpointConcurrency,
      }),
    },
    OutboundHttpClient,
    OutboundConnectionsClient,
    ProviderHttpClient,
  ],
  exports: [OUTBOUND_OPTIONS, OutboundHttpClient, OutboundConnectionsClient, ProviderHttpClient],
})
export class OutboundModule {}
