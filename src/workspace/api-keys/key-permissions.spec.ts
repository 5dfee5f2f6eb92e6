import fc from 'fast-check';
import { allPermissions, expandPermissions, rolePermissions } from '../../platform/principal/permissions.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { permissionsOfNewKey } from './key-permissions.js';

const names = fc.uniqueArray(fc.constantFrom(...allPermissions, '*', 'customer_information:*'), {
  minLength: 1,
});

describe('the permissions of a new key', () => {
  it('never go beyond those of the creator', () => {
    fc.assert(
      fc.property(names, fc.option(names, { nil: undefined }), (held, wanted) => {
        const creator = expandPermissions(held) ?? new Set();
        let stored: string[];
        try {
          stored = permissionsOfNewKey(wanted, creator);
        } catch (error) {
          expect(error).toMatchObject({ status: 403 });
          const missing = [...(expandPermissions(wanted ?? []) ?? [])].filter((name) => !creator.has(name));
          expect(missing).not.toEqual([]);
          return;
        }
        for (const name of expandPermissions(stored) ?? []) expect(creator.has(name)).toBe(true);
      }),
    );
  });

  it('includes everything the creator holds by default, and `*` if that is everything', () => {
    expect(permissionsOfNewKey(undefined, rolePermissions.admin)).toEqual(['*']);
    expect(new Set(permissionsOfNewKey(undefined, rolePermissions.viewer))).toEqual(rolePermissions.viewer);
  });

  it('requires existing ones', () => {
    const attempt = () =>
      permissionsOfNewKey(['*', 'customer_information:teapots:read'], rolePermissions.admin);
    expect(attempt).toThrow(ApiError);
    expect(attempt).toThrow('There is no permission "customer_information:teapots:read".');
  });
});
