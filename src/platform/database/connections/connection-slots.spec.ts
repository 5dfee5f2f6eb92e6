import { NoFreeConnection } from '../database-errors.js';
import { ConnectionSlots } from './connection-slots.js';

describe('slots of connections', () => {
  it('grants them in the order of requests', async () => {
    const slots = new ConnectionSlots(1);
    const order: number[] = [];
    await slots.acquire(Infinity);
    const waiting = [1, 2].map(async (number) => {
      await slots.acquire(Infinity);
      order.push(number);
    });
    expect(order).toEqual([]);
    slots.release();
    await waiting[0];
    expect(order).toEqual([1]);
    slots.release();
    await waiting[1];
    expect(order).toEqual([1, 2]);
  });

  it('refuses a caller without patience, and grants the slot to the next one', async () => {
    const slots = new ConnectionSlots(1);
    await slots.acquire(0);
    await expect(slots.acquire(0)).rejects.toThrow(NoFreeConnection);
    const patient = slots.acquire(Infinity);
    slots.release();
    await patient;
    slots.release();
    await slots.acquire(0);
  });
});
