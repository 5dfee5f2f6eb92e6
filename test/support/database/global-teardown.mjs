export default async function globalTeardown() {
  await globalThis.tenureTestDatabase?.stop();
  delete process.env.TEST_ADMIN_DATABASE_URL;
}
