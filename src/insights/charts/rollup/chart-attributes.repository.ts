import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database.service.js';
import { MAX_ATTRIBUTE_VALUES, otherValues } from '../definitions/attribute-dimensions.js';
import { addValues, commonValues, forgetDims, forgetValues, knownValues } from './attribute-values.sql.js';
import type { ChartCustomer } from '../facts/source.model.js';

interface Value {
  name: string;
  value: string;
}

/** The values of chosen attributes that charts count separately. The project must be locked. */
@Injectable()
export class ChartAttributesRepository {
  /** Runs before a rebuild, which derives all customers again. */
  async chooseValues(tx: Transaction, projectId: string, names: readonly string[]): Promise<void> {
    await tx.query(forgetValues, [projectId]);
    await tx.query(commonValues, [projectId, MAX_ATTRIBUTE_VALUES, otherValues, names]);
  }

  /** Returns the values of chosen attributes by customer. Values that are not counted separately are combined. */
  async valuesOf(
    tx: Transaction,
    projectId: string,
    customers: readonly ChartCustomer[],
    names: readonly string[],
  ): Promise<Map<string, Record<string, string>>> {
    const own = (customer: ChartCustomer): Value[] =>
      names.flatMap((name) => {
        // Names are arbitrary and may equal a property that every object has.
        const value = Object.hasOwn(customer.attributes, name) ? customer.attributes[name] : '';
        return value ? [{ name, value }] : [];
      });
    const asked = customers.flatMap(own).filter(({ value }) => value !== otherValues);
    const keyOf = ({ name, value }: Value): string => `${name}\n${value}`;
    const known = new Set((await this.countedValues(tx, projectId, asked)).map(keyOf));
    return new Map(
      customers.map((customer) => [
        customer.id,
        Object.fromEntries(
          own(customer).map((one) => [one.name, known.has(keyOf(one)) ? one.value : otherValues]),
        ),
      ]),
    );
  }

  private async countedValues(tx: Transaction, projectId: string, asked: readonly Value[]): Promise<Value[]> {
    if (asked.length === 0) return [];
    const values = [projectId, asked.map(({ name }) => name), asked.map(({ value }) => value)];
    await tx.query(addValues, [...values, MAX_ATTRIBUTE_VALUES]);
    return tx.query<Value>(knownValues, values);
  }

  async forgetUnused(tx: Transaction, projectId: string): Promise<void> {
    await tx.query(forgetDims, [projectId]);
  }
}
