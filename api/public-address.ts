import { type LookupAddress, lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Networks that are not the internet: own machine, own network, link-local (cloud metadata), multicast, reserved. */
const notPublic = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  notPublic.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  notPublic.addSubnet(network, prefix, 'ipv6');
}

/** Whether an IP address is one of the public internet; IPv4 inside IPv6 counts as what it holds. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && !notPublic.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/**
 * A `lookup` for sockets that returns public addresses only: the check is made on the address that is dialled, so that
 * a name cannot resolve to another one in between.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, []);
    const addresses = found as LookupAddress[]; // `all` gives a list
    const open = addresses.filter(({ address }) => isPublicAddress(address));
    if (open.length === 0) return callback(new NotPublic(`${hostname} is an address of a private network`), []);
    if (options.all) return callback(null, open);
    return callback(null, open[0]?.address ?? '', open[0]?.family);
  });
};

export class NotPublic extends Error {}
