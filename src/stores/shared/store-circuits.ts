import type { Clock } from '../../../libs/kernel/index.js';
import { CircuitBreaker, type WatchCall } from '../../../libs/stores/index.js';
import { recordStatus, traced } from '../../platform/observability/tracing.js';

const watch: WatchCall = (circuit, call, statusOf) => {
  const [address = ''] = circuit.split(' ');
  const host = URL.canParse(address) ? new URL(address).hostname : 'store';
  return traced(host, { 'server.address': host }, async () => {
    try {
      const answer = await call();
      recordStatus(statusOf(answer));
      return answer;
    } catch (error) {
      recordStatus(statusOf(error));
      throw error;
    }
  });
};

export function storeCircuits(clock: Clock): CircuitBreaker {
  return new CircuitBreaker(() => clock.nowMs(), watch);
}
