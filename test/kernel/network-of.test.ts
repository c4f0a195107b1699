/** The networks that addresses are counted by. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { networkOf } from '../../src/kernel/network-of.ts';

it('counts addresses by network: IPv4 whole, IPv6 by its first half', () => {
  assert.equal(networkOf('::ffff:203.0.113.9'), '203.0.113.9');
  assert.equal(networkOf('2001:db8:0:1:aaaa::1'), networkOf('2001:db8::1:0:0:0:2'));
  assert.notEqual(networkOf('2001:db8:0:1::1'), networkOf('2001:db8:0:2::1'));
});
