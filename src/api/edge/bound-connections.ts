/**
 * Limits the connections of a listener, and how many of them one address may have. Further
 * connections are closed at once, before a byte is read, and open ones stay open. The cost is a map
 * entry per connection.
 */
import type { Server } from 'node:http';
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';
import { networkOf } from '../../core/network-of.ts';

/** `full`: all connections are in use. `share`: the address has used its share. */
export type DropReason = 'full' | 'share';

export type ConnectionTerms = {
  readonly max: number;
  /** For one address, or for one network of IPv6. */
  readonly share: number;
  /**
   * The addresses or networks of proxies. A proxy carries many clients, so it may use all
   * connections.
   */
  readonly proxies: readonly string[];
  readonly onDrop: (reason: DropReason, address: string) => void;
};

export type ConnectionCounts = {
  readonly open: number;
  readonly dropped: Readonly<Record<DropReason, number>>;
};

/** Call it before the server listens. Returns the current counts. */
export function boundConnections(server: Server, terms: ConnectionTerms): () => ConnectionCounts {
  const { max, share, proxies, onDrop } = terms;
  const isProxy = listOf(proxies);
  const ofNetwork = new Map<string, number>();
  const dropped = { full: 0, share: 0 };
  let open = 0;
  const drop = (reason: DropReason, address: string): void => {
    dropped[reason] += 1;
    onDrop(reason, address);
  };
  const takePlace = (socket: Socket, network: string | undefined): void => {
    open += 1;
    if (network !== undefined) ofNetwork.set(network, (ofNetwork.get(network) ?? 0) + 1);
    socket.once('close', () => {
      open -= 1;
      if (network === undefined) return;
      const left = (ofNetwork.get(network) ?? 1) - 1;
      if (left === 0) ofNetwork.delete(network);
      else ofNetwork.set(network, left);
    });
  };
  // The cheapest way: Node.js closes the connection before it creates a socket.
  server.maxConnections = max;
  server.on('drop', (data) => drop('full', data?.remoteAddress ?? ''));
  // Runs before other listeners: a socket that is destroyed here never becomes a request.
  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const network = share < max && !isProxy(address) ? networkOf(address) : undefined;
    const isOver = network !== undefined && (ofNetwork.get(network) ?? 0) >= share;
    // Node.js does not count the connections of a further address of the host.
    if (!isOver && open < max) {
      takePlace(socket, network);
      return;
    }
    socket.destroy();
    drop(isOver ? 'share' : 'full', address);
  });
  return () => ({ open, dropped: { ...dropped } });
}

function listOf(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = familyOf(address);
    list.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family);
  }
  // An address with a zone (`%eth0`) cannot be looked up.
  return (address) => isIP(address) !== 0 && !address.includes('%') && list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
