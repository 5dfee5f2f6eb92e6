/** A table with rows of projects; its name is quoted for SQL. */
export interface ProjectTable {
  name: string;
  references: string[];
}

/**
 * Orders tables so that each comes before the tables it references: no delete cascades, so a statement never exceeds
 * its limit.
 * @throws Error if tables reference each other in a cycle
 */
export function deletionOrder(tables: readonly ProjectTable[]): string[] {
  const order: string[] = [];
  let left = [...tables].sort((a, b) => (a.name < b.name ? -1 : 1));
  while (left.length > 0) {
    const referenced = new Set(left.flatMap(({ references }) => references));
    const free = left.filter(({ name }) => !referenced.has(name));
    if (free.length === 0) {
      throw new Error(`Tables reference each other in a circle: ${left.map(({ name }) => name).join(', ')}`);
    }
    order.push(...free.map(({ name }) => name));
    left = left.filter((table) => !free.includes(table));
  }
  return order;
}
