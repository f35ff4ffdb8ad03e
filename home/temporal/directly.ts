import { isThisMachine } from '../../api/proxies.js';

/** gRPC would look even for this machine's own server through `http_proxy`. */
export function directly(address: string): { readonly 'grpc.enable_http_proxy'?: 0 } {
  return isThisMachine(address.replace(/:\d+$/, '')) ? { 'grpc.enable_http_proxy': 0 } : {};
}
