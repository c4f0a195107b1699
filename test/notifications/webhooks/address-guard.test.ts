/** The addresses and URLs that a webhook may go to, in every notation of an address. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkUrl, createAddressGuard } from '../../../src/notifications/webhooks/address-guard.ts';

const guard = createAddressGuard({ allowed: [], allowsLoopback: false });
const strict = { guard, isRelaxed: false };

/** Addresses of this machine, its neighbours, or nothing, in the notations of a URL. */
const privateHosts = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f.1',
  '0x7f000001',
  '0177.0.0.1',
  '017700000001',
  '127.0.0.1.',
  '0.0.0.0',
  '0',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '169.254.169.254',
  '168.63.129.16',
  '[::ffff:168.63.129.16]',
  '0xa9fea9fe',
  '2852039166',
  '100.64.0.1',
  '192.0.0.192',
  '198.18.0.1',
  '192.0.2.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[::ffff:169.254.169.254]',
  '[::ffff:10.0.0.1]',
  '[::127.0.0.1]',
  '[fe80::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::1]',
  '[2002:7f00:1::]',
  '[2001::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[100::1]',
  '①②⑦.⓪.⓪.①',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'x.localhost',
  'printer.local',
  'db.internal',
  'intranet',
];

describe('the permitted addresses of a webhook', () => {
  it('refuses private and reserved addresses in every notation', () => {
    for (const host of privateHosts) {
      const judged = checkUrl(`https://${host}/x`, 'live', strict);
      assert.deepEqual(judged, { fault: 'private' }, host);
    }
  });

  it('accepts public addresses', () => {
    for (const url of [
      'https://shop.example/webhooks',
      'https://8.8.8.8/',
      'https://shop.example:8443/x?y=1',
      'https://[2a00:1450:4001:82a::200e]/',
      'https://172.32.0.1/',
      'https://100.128.0.1/',
      'https://localhost.example/',
      'https://xn--bcher-kva.example/',
    ]) {
      assert.deepEqual(checkUrl(url, 'live', strict), { url }, url);
    }
    assert.deepEqual(checkUrl('https://SHOP.example/a#part', 'live', strict), {
      url: 'https://shop.example/a',
    });
  });

  it('requires https on two ports for live endpoints, but not for test endpoints', () => {
    assert.deepEqual(checkUrl('http://shop.example/', 'live', strict), { fault: 'not_https' });
    for (const port of ['22', '80', '8080', '5432', '65535']) {
      assert.deepEqual(checkUrl(`https://shop.example:${port}/`, 'live', strict), { fault: 'port' }, port);
    }
    assert.deepEqual(checkUrl('http://shop.example:3000/', 'test', strict), {
      url: 'http://shop.example:3000/',
    });
    assert.deepEqual(checkUrl('http://127.0.0.1:3000/', 'test', strict), { fault: 'private' });
  });

  it('refuses a URL with a user or a password', () => {
    for (const url of [
      '',
      'shop.example',
      '//shop.example',
      'ftp://shop.example',
      'javascript:alert(1)',
      'file:///etc/passwd',
      'https://',
      'https://a b.example',
      'https://user@shop.example/',
      'https://user:secret@shop.example/',
      'https://999.1.1.1/',
      'https://0x1ffffffff/',
      'https://shop.example:99999/',
    ]) {
      assert.deepEqual(checkUrl(url, 'live', strict), { fault: 'malformed' }, url);
    }
  });

  it('accepts the networks that the operator allows, and this machine in the demo', () => {
    const own = createAddressGuard({
      allowed: ['10.20.0.0/16', 'fd12::/16', '192.168.7.7'],
      allowsLoopback: false,
    });
    const rules = { guard: own, isRelaxed: false };
    for (const url of ['http://10.20.3.4:8000/x', 'http://[fd12::1]:3000/', 'http://192.168.7.7/']) {
      assert.deepEqual(checkUrl(url, 'live', rules), { url }, url);
    }
    for (const host of ['10.21.0.1', '192.168.7.8', '[fd13::1]', '127.0.0.1']) {
      assert.deepEqual(checkUrl(`https://${host}/`, 'live', rules), { fault: 'private' }, host);
    }
    assert.ok(!own.forbids('::ffff:10.20.1.1') && own.forbids('::ffff:10.21.1.1'));
    const demo = { guard: createAddressGuard({ allowed: [], allowsLoopback: true }), isRelaxed: true };
    for (const url of ['http://localhost:3000/', 'http://127.0.0.1:3000/', 'http://[::1]:3000/']) {
      assert.deepEqual(checkUrl(url, 'live', demo), { url }, url);
    }
    assert.deepEqual(checkUrl('http://10.0.0.1/', 'live', demo), { fault: 'private' });
  });

  it('checks an address as the network sees it, and refuses text that is no address', () => {
    for (const address of ['fe80::1%eth0', '::ffff:0:127.0.0.1', 'x', '', '::ffff:7f00:0001']) {
      assert.ok(guard.forbids(address), address);
    }
    assert.ok(!guard.forbids('::ffff:8.8.8.8'));
  });
});
