import { Registry } from 'prom-client';
import { ManualClock } from '../../../libs/kernel/index.js';
import { type Partition, startOf, monthOf } from './months.js';
import { PartitionMetrics } from './partition.metrics.js';
import { type PartitionedTable, partitionedTables } from './partitioned-tables.js';
import type { PartitionsRepository } from './partitions.repository.js';

const nowMs = Date.UTC(2026, 4, 20);

function exposed(partitionsOf: () => Promise<Map<PartitionedTable, Partition[]>>): Promise<string> {
  const registry = new Registry();
  new PartitionMetrics(registry, { partitionsOf } as unknown as PartitionsRepository, new ManualClock(nowMs));
  return registry.metrics();
}

describe('the months ahead', () => {
  it('reports them for each table', async () => {
    const first = { name: 'first', isDefault: false, from: null };
    const partitions = partitionedTables.map((table, index): [PartitionedTable, Partition[]] => [
      table,
      [{ ...first, to: startOf(monthOf(nowMs) + 1 + index) }],
    ]);
    const text = await exposed(() => Promise.resolve(new Map(partitions)));
    for (const [index, { name }] of partitionedTables.entries()) {
      expect(text).toContain(`\ntenure_partition_months_ahead{table="${name}"} ${index}\n`);
    }
  });

  it('reports them as unknown without the database, which hides no other metric', async () => {
    const text = await exposed(() => Promise.reject(new Error('gone')));
    expect(text).toContain('tenure_partition_months_ahead{table="audit_logs"} Nan');
  });
});
