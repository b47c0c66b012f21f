import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPublicAddress } from '../../src/kit/net/address.ts'

test('addresses of the public internet', () => {
  const open = [
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '172.15.0.1',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700:4700::1111',
  ]
  expect(open.filter((address) => !isPublicAddress(address))).toEqual([])
})

test.each([
  ['private', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fdff::1']],
  ['of this machine', ['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '::1', '::']],
  ['link-local and metadata', ['169.254.1.1', '169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'fd00:ec2::254']],
  ['metadata elsewhere', ['100.100.100.200', '168.63.129.16', '192.0.0.192']],
  [
    'of providers, tests, documents',
    ['100.64.0.1', '198.18.0.1', '192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1'],
  ],
  ['for many', ['224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1']],
  ['reserved', ['240.0.0.1', '192.0.0.1', '192.88.99.1', '100::1', '3fff::1', '5f00::1', '4000::1', 'fec0::1']],
  ['IPv4 within IPv6', ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::7f00:1', '::ffff:0:7f00:1', '2600:1::5efe:7f00:1']],
  ['translated', ['64:ff9b::7f00:1', '64:ff9b:1::7f00:1', '2002:7f00:1::', '2002:808:808::1', '2001:0:7f00:1::1']],
  [
    'notations that no resolver writes',
    ['0x7f.1', '0177.0.0.1', '2130706433', '127.1', '08.8.8.8', '8.8.8.8.', ' 8.8.8.8'],
  ],
  ['no addresses', ['', 'example.com', '[::1]', '8.8.8.8:80', '2606:4700::1111%0', '8.8.8', '256.1.1.1']],
])('not public: %s', (_, addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([])
})

test('an IPv4 address in an IPv6 one is never public', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.constantFrom('::ffff:', '::', '64:ff9b::', '64:ff9b:1::'), (address, prefix) => {
      expect(isPublicAddress(prefix + address)).toBe(false)
    }),
  )
})
