/**
 * How many connections a listener takes, and how many of them one address may have.
 *
 * Guarantees: what comes beyond is closed at once, before a byte of it is read, and whoever is in
 * stays in; a request costs nothing for it, and a connection an entry in a map.
 */
import type { Server } from 'node:http';
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';
import { networkOf } from '../../core/network-of.ts';

/** `full`: all places are taken. `share`: the address has as many as one may have. */
export type DropReason = 'full' | 'share';

export type ConnectionTerms = {
  readonly max: number;
  /** Of one address, or of one network of IPv6. */
  readonly share: number;
  /** Addresses or networks of proxies: through one of them many call, and it may have all. */
  readonly proxies: readonly string[];
  readonly onDrop: (reason: DropReason, address: string) => void;
};

export type ConnectionCounts = {
  readonly open: number;
  readonly dropped: Readonly<Record<DropReason, number>>;
};

/** Before it listens. Gives what is counted. */
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
  // The cheapest: Node closes it before it has made a socket of it.
  server.maxConnections = max;
  server.on('drop', (data) => drop('full', data?.remoteAddress ?? ''));
  // First of all: what is destroyed here never becomes a request.
  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const network = share < max && !isProxy(address) ? networkOf(address) : undefined;
    const isOver = network !== undefined && (ofNetwork.get(network) ?? 0) >= share;
    // Those of a further address of the host are not in the count of Node.
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
  // With the zone of a link it is none that can be looked for.
  return (address) => isIP(address) !== 0 && !address.includes('%') && list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
