import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';

/** Networks that a stranger's URL must not make the studio call (IANA special-purpose registries). */
const privateNetworks: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 128],
  ['64:ff9b::', 96],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
];

const blocked = listOf(privateNetworks);
const loopback = listOf([
  ['127.0.0.0', 8],
  ['::1', 128],
]);

/** What is wrong with a callback address, as far as the address itself tells; null when nothing is. */
export function problemOfUrl(text: string, { allowLoopback }: { readonly allowLoopback: boolean }): string | null {
  const url = new URL(text);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (url.username !== '' || url.password !== '') return 'must have no user name or password';
  const own = host === 'localhost' || host.endsWith('.localhost') || (isIP(host) !== 0 && contains(loopback, host));
  if (own) return allowLoopback ? null : 'must not be an address of this machine';
  if (url.protocol !== 'https:') return 'must be an https address';
  return isIP(host) !== 0 && contains(blocked, host) ? 'must not be a private address' : null;
}

const resolve = promisify(systemLookup);

/**
 * Name resolution that refuses private addresses at the moment of connecting, so that a name cannot point elsewhere
 * between the check and the call.
 */
export function guardedLookup({ allowLoopback }: { readonly allowLoopback: boolean }): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }).then(
      (found) => {
        const allowed = found.filter(({ address }) => isAllowed(address, allowLoopback));
        const [first] = allowed;
        if (!first) callback(new Error(`Cannot deliver to ${hostname}: it is a private address`), []);
        else if (options.all === true) callback(null, allowed satisfies LookupAddress[]);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, []),
    );
  };
}

function isAllowed(address: string, allowLoopback: boolean): boolean {
  return contains(loopback, address) ? allowLoopback : !contains(blocked, address);
}

/** Also looks through IPv4 addresses written as IPv6: `::ffff:10.0.0.1`. */
function contains(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function listOf(networks: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of networks) list.addSubnet(address, prefix, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  return list;
}
