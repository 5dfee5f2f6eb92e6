import { type DynamicModule, Global, Module } from '@nestjs/common';
import { type Clock } from '../../../libs/kernel/index.js';
import { Config } from './config.js';
import { CLOCK } from './clock.token.js';

@Global()
@Module({})
export class ConfigModule {
  static with(config: Config, clock: Clock): DynamicModule {
    return {
      module: ConfigModule,
      providers: [
        { provide: Config, useValue: config },
        { provide: CLOCK, useValue: clock },
      ],
      exports: [Config, CLOCK],
    };
  }
}
