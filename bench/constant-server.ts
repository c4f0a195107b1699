/**
 * A server that parses a purchase and returns a constant: the cost in Node.js of a request and an
 * answer of this size, without any work. Prints its address, as a gateway does.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const answer = JSON.stringify({
  response_code: '00',
  response_message: 'Purchase successful',
  status: 'success',
  request_ref: 'bounds-000000000',
  transaction_ref: 'oja_00000000000000000000000000',
  data: { network: 'mtn', msisdn: '08030000000', amount: '10.00', balance_after: '1000000.00' },
});
const headers = { 'content-type': 'application/json; charset=utf-8' };

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (part: string) => {
    body += part;
  });
  request.once('end', () => {
    const purchase: unknown = JSON.parse(body);
    response.writeHead(typeof purchase === 'object' ? 200 : 400, headers);
    response.end(answer);
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`listening on http://127.0.0.1:${port}\n`);
});
