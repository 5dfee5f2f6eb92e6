import S3rver from 's3rver';

/** Prints its port. Signatures are checked by the proxy in front of it. */
const [directory, ...buckets] = process.argv.slice(2);
const server = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory,
  allowMismatchedSignatures: true,
  configureBuckets: buckets.map((name) => ({ name })),
});
const { port } = await server.run();
console.log(port);
